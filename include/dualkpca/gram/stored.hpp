#pragma once

#include <functional>
#include <memory>

#include "dualkpca/core/observer.hpp"
#include "dualkpca/gram/gram_operator.hpp"
#include "dualkpca/kernel/kernel.hpp"

namespace dualkpca {

/// out = K(rows, columns) in float64.
using ExactBlock = std::function<void(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out)>;

/// K(i, j) = k(x_i, x_j), evaluated once and kept as square tiles of its lower triangle: 2 n^2 bytes in float32 plus
/// half a tile per row. Only the diagonal is evaluated here: the first product evaluates the tiles and multiplies each
/// while it is in the cache, and only then is their memory taken; `observe` is kept and may stop that product, which
/// throws Interrupted. Every later product reads every tile once. Columns asked for before are evaluated on their own,
/// unless they are half of all or more.
/// Results depend on the number of threads only through the order of float64 sums. The rows must outlive the operator.
/// `exact` gives entries from the data before they were rounded to the rows; without it they are taken from the rows.
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

/// The same tiles copied from a given symmetric matrix, which must outlive the operator. Throws DataError if K is not
/// square or not symmetric, naming the worst entry.
[[nodiscard]] std::unique_ptr<GramOperator> make_precomputed_gram(const SamplesView& K, Precision precision,
                                                                  int threads);

/// Bytes make_stored_gram keeps for n rows.
[[nodiscard]] std::size_t stored_gram_bytes(Index n, Precision precision);

}  // namespace dualkpca
