#pragma once

#include <optional>
#include <vector>

#include "model/fitted_model.hpp"

namespace dualkpca {

/// A kernel with its width.
struct ResolvedKernel {
  KernelName name = KernelName::rbf;
  double gamma = 1;
  int degree = 1;
  double coef0 = 0;
};

/// Training rows with fewer columns on which the kernel takes the values it takes on all of them, up to rounding in the
/// precision of the rows (docs/math.md, "Fewer columns"); the rows themselves if there are none, or if finding them
/// would cost more than it saves. Sparse rows are left as they are. `centered`: the Gram matrix will be.
[[nodiscard]] TrainingRows reduced_rows(const TrainingRows& rows, const ResolvedKernel& kernel, bool centered,
                                        int threads, std::uint64_t seed);

/// The most that reduced_rows takes beside the rows, for n dense rows of d columns.
[[nodiscard]] std::size_t reduced_rows_bytes(Index n, Index d, Precision precision);

/// Columns without which the kernel is the same: those that are constant if all rows may be moved, or else those that
/// are all zero. Gives the others, at least one.
[[nodiscard]] std::vector<Index> informative_columns(const TrainingRows& rows, const ResolvedKernel& kernel,
                                                     bool centered, int threads);

/// The coordinates of the given columns of dense rows in an orthonormal basis of at most `most` directions, if there is
/// one outside of which no row has anything that could change an entry of the kernel matrix. Looked for in a sample,
/// verified on every row.
[[nodiscard]] std::optional<TrainingRows> projected_rows(const TrainingRows& rows, const std::vector<Index>& columns,
                                                         const ResolvedKernel& kernel, Index most, int threads,
                                                         std::uint64_t seed);

}  // namespace dualkpca
