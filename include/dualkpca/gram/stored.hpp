#pragma once

#include <functional>
#include <memory>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/gram/gram_operator.hpp"
#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// Function that computes out = K(rows, columns) in float64.
using ExactBlock = std::function<void(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out)>;

/// Makes the operator of K(i, j) = k(x_i, x_j), evaluated once and kept as square tiles of its lower triangle. It takes
/// 2 n^2 bytes in float32, plus half a tile per row. Only the diagonal is evaluated here. The first product (with a
/// block of columns) takes the memory, evaluates the tiles and multiplies each while it is in the cache. `observe` is
/// kept; if it stops that product, Interrupted is thrown. Every later product reads every tile once. Columns that are
/// requested before the first product are evaluated on their own, unless they are half of all or more.
/// Results depend on the number of threads only through the order of float64 sums. The rows must outlive the operator.
/// `exact` computes entries from the data as they were before they were rounded to the rows; without it, entries are
/// computed from the rows.
[[nodiscard]] std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel,
                                                             const DenseRows<float>& X, int threads,
                                                             const Observer& observe = {}, ExactBlock exact = {});
[[nodiscard]] std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel,
                                                             const DenseRows<double>& X, int threads,
                                                             const Observer& observe = {}, ExactBlock exact = {});

[[nodiscard]] std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel,
                                                             const SparseRows<float>& X, int threads,
                                                             const Observer& observe = {}, ExactBlock exact = {});
[[nodiscard]] std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel,
                                                             const SparseRows<double>& X, int threads,
                                                             const Observer& observe = {}, ExactBlock exact = {});

/// Makes an operator of the same tiles, copied from a given symmetric matrix K, which must outlive the operator. Throws
/// DataError if K is not square or not symmetric, naming the worst entry.
[[nodiscard]] std::unique_ptr<GramOperator> make_precomputed_gram(const SamplesView& K, Precision precision,
                                                                  int threads);

/// Returns the bytes that make_stored_gram() keeps for n rows.
[[nodiscard]] std::size_t stored_gram_bytes(Index n, Precision precision);

}  // namespace dualkpca
