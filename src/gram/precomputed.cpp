#include <cmath>

#include "dualkpca/gram/stored.hpp"
#include "gram/representable.hpp"
#include "gram/stored_gram.hpp"

namespace dualkpca {
namespace {

void require_symmetric(const SamplesView& K) {
  if (K.rows() != K.cols())
    throw DataError(
        fmt::format("a precomputed kernel matrix must be square, but this one is {} x {}", K.rows(), K.cols()));
  double largest = 0, worst = 0;
  Index at_i = 0, at_j = 0;
  constexpr Index square = 64;  // small blocks, so that K(j, i) does not miss the cache at every step
  for (Index i0 = 0; i0 < K.rows(); i0 += square)
    for (Index j0 = 0; j0 <= i0; j0 += square)
      for (Index i = i0; i < std::min(K.rows(), i0 + square); ++i)
        for (Index j = j0; j < std::min(i + 1, j0 + square); ++j) {
          largest = std::max(largest, std::abs(K(i, j)));
          const double difference = std::abs(K(i, j) - K(j, i));
          if (difference > worst) worst = difference, at_i = i, at_j = j;
        }
  const double allowed = K.precision() == Precision::float32 ? 1e-5 : 1e-8;
  if (worst > allowed * largest)
    throw DataError(fmt::format(
        "a precomputed kernel matrix must be symmetric: entry ({}, {}) is {:.6g}, but entry ({}, {}) is {:.6g}",
        at_i + 1, at_j + 1, K(at_i, at_j), at_j + 1, at_i + 1, K(at_j, at_i)));
}

// Entries of a given matrix.
template <class T>
class MatrixSource final : public TileSource<T> {
 public:
  explicit MatrixSource(const SamplesView& K) : K_(K) {}

  void tile(Index row, Index col, const TileRef<T>& out) const override {
    for (Index r = 0; r < out.rows; ++r)
      for (Index c = 0; c < out.cols; ++c) {
        const auto value = static_cast<T>(K_(row + r, col + c));
        out.row(r)[c] = std::abs(value) < std::numeric_limits<T>::min() ? T{0} : value;
      }
  }
  void columns(std::span<const Index> indices, MatrixRef out) const override {
    for (Index i = 0; i < out.rows(); ++i)
      for (std::size_t c = 0; c < indices.size(); ++c) out(i, static_cast<Index>(c)) = K_(i, indices[c]);
  }
  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override {
    // K is symmetric, so row j is read in place of column j: rows are contiguous, while each entry of a column is on a
    // page of its own.
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t r = 0; r < rows.size(); ++r)
        out(static_cast<Index>(r), static_cast<Index>(c)) = K_(columns[c], rows[r]);
  }

 private:
  SamplesView K_;
};

template <class T>
std::unique_ptr<GramOperator> copy_tiles(const SamplesView& K, int threads) {
  Vector diagonal(K.rows());
  for (Index i = 0; i < K.rows(); ++i) diagonal[i] = K(i, i);
  require_representable<T>(diagonal);
  auto gram = std::make_unique<StoredGram<T>>(std::make_unique<MatrixSource<T>>(K), std::move(diagonal), threads);
  gram->assemble();
  return gram;
}

}  // namespace

std::unique_ptr<GramOperator> make_precomputed_gram(const SamplesView& K, Precision precision, int threads) {
  require_symmetric(K);
  return precision == Precision::float32 ? copy_tiles<float>(K, threads) : copy_tiles<double>(K, threads);
}

}  // namespace dualkpca
