#pragma once

#include <optional>
#include <vector>

#include "dualkpca/data/samples.hpp"
#include "kernel/resolved_kernel.hpp"

namespace dualkpca {

/// Returns the training rows with fewer columns, on which the kernel takes the same values up to rounding in the
/// precision of the rows (docs/math.md, "Fewer columns"). Returns the rows themselves if they are sparse, if no column
/// can go, or if finding such columns would cost more than it saves. `centered`: the Gram matrix will be centred.
[[nodiscard]] Samples reduced_rows(const Samples& rows, const ResolvedKernel& kernel, bool centered, int threads,
                                   std::uint64_t seed);

/// Largest memory that reduced_rows() takes beside the rows, for n dense rows of d columns.
[[nodiscard]] std::size_t reduced_rows_bytes(Index n, Index d, Precision precision);

/// Returns the columns that affect the kernel, at least one. Constant columns do not if all rows may be shifted;
/// otherwise only columns of zeros do not.
[[nodiscard]] std::vector<Index> informative_columns(const SamplesView& rows, const ResolvedKernel& kernel,
                                                     bool centered, int threads);

/// The coordinates of the given columns of dense rows in an orthonormal basis of at most `most` directions. No value
/// unless the parts of all rows outside the basis are too small to change an entry of the kernel matrix. The basis is
/// found in a sample and verified on every row.
[[nodiscard]] std::optional<Samples> projected_rows(const SamplesView& rows, const std::vector<Index>& columns,
                                                    const ResolvedKernel& kernel, Index most, int threads,
                                                    std::uint64_t seed);

}  // namespace dualkpca
