#pragma once

#include <optional>
#include <vector>

#include "dualkpca/data/samples.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Training rows with fewer columns on which the kernel takes the values it takes on all of them, up to rounding in the
/// precision of the rows (docs/math.md, "Fewer columns"); the rows themselves if there are none, or if finding them
/// would cost more than it saves. Sparse rows are left as they are. `centered`: the Gram matrix will be.
[[nodiscard]] Samples reduced_rows(const Samples& rows, const ResolvedKernel& kernel, bool centered, int threads,
                                   std::uint64_t seed);

/// The most that reduced_rows takes beside the rows, for n dense rows of d columns.
[[nodiscard]] std::size_t reduced_rows_bytes(Index n, Index d, Precision precision);

/// Columns without which the kernel is the same: those that are constant if all rows may be moved, or else those that
/// are all zero. Gives the others, at least one.
[[nodiscard]] std::vector<Index> informative_columns(const SamplesView& rows, const ResolvedKernel& kernel,
                                                     bool centered, int threads);

/// The coordinates of the given columns of dense rows in an orthonormal basis of at most `most` directions, if there is
/// one outside of which no row has anything that could change an entry of the kernel matrix. Looked for in a sample,
/// verified on every row.
[[nodiscard]] std::optional<Samples> projected_rows(const SamplesView& rows, const std::vector<Index>& columns,
                                                    const ResolvedKernel& kernel, Index most, int threads,
                                                    std::uint64_t seed);

}  // namespace dualkpca
