#include <cmath>

#include "dualkpca/gram/stored.hpp"
#include "gram/representable.hpp"
#include "gram/stored_gram.hpp"

namespace dualkpca {
namespace {

// Sums over the rows of a given matrix.
struct EntrySizes {
  Vector entries{};      // squares of the entries
  Vector differences{};  // squares of k_ij - k_ji
  Vector largest{};      // largest |k_ij|
};

// Throws DataError unless K is square and symmetric.
EntrySizes checked_sizes(const SamplesView& K) {
  if (K.rows() != K.cols())
    throw DataError(
        fmt::format("a precomputed kernel matrix must be square, but this one is {} x {}", K.rows(), K.cols()));
  const Vector zeros = Vector::Zero(K.rows());
  EntrySizes sizes{zeros, zeros, zeros};
  double largest = 0, worst = 0;
  Index at_i = 0, at_j = 0;
  constexpr Index square = 64;  // small blocks, so that K(j, i) does not miss the cache at every step
  for (Index i0 = 0; i0 < K.rows(); i0 += square)
    for (Index j0 = 0; j0 <= i0; j0 += square)
      for (Index i = i0; i < std::min(K.rows(), i0 + square); ++i)
        for (Index j = j0; j < std::min(i + 1, j0 + square); ++j) {
          const double entry = K(i, j), difference = std::abs(entry - K(j, i));
          largest = std::max(largest, std::abs(entry));
          sizes.largest[i] = std::max(sizes.largest[i], std::abs(entry));
          sizes.largest[j] = std::max(sizes.largest[j], std::abs(entry));
          sizes.entries[i] += entry * entry;
          if (i != j) sizes.entries[j] += entry * entry;
          sizes.differences[i] += difference * difference;
          sizes.differences[j] += difference * difference;
          if (difference > worst) worst = difference, at_i = i, at_j = j;
        }
  const double allowed = K.precision() == Precision::float32 ? 1e-5 : 1e-8;
  if (worst > allowed * largest)
    throw DataError(fmt::format(
        "a precomputed kernel matrix must be symmetric: entry ({}, {}) is {:.6g}, but entry ({}, {}) is {:.6g}",
        at_i + 1, at_j + 1, K(at_i, at_j), at_j + 1, at_i + 1, K(at_j, at_i)));
  return sizes;
}

// Entries of a given matrix.
template <class T>
class MatrixSource final : public TileSource<T> {
 public:
  MatrixSource(const SamplesView& K, EntrySizes sizes) : K_(K), sizes_(std::move(sizes)) {}

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
  [[nodiscard]] RoundingErrors errors(Index /*width*/) const override {
    // Only narrowing rounds an entry. The two triangles may differ a little; one of them is stored.
    const bool is_exact = K_.precision() == precision_of<T> || precision_of<T> == Precision::float64;
    const double u = is_exact ? 0 : 0.5 * epsilon_of(precision_of<T>);
    const Vector lengths = sizes_.entries.cwiseSqrt();
    return {.shared = sizes_.differences.cwiseSqrt(),
            .shared_norm = std::sqrt(sizes_.differences.sum()),
            .single = u * lengths,
            .sums = lengths,
            .unit_sums = sizes_.largest};
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
  EntrySizes sizes_;
};

template <class T>
std::unique_ptr<GramOperator> copy_tiles(const SamplesView& K, EntrySizes sizes, int threads) {
  Vector diagonal(K.rows());
  for (Index i = 0; i < K.rows(); ++i) diagonal[i] = K(i, i);
  require_representable<T>(diagonal);
  auto gram = std::make_unique<StoredGram<T>>(std::make_unique<MatrixSource<T>>(K, std::move(sizes)),
                                              std::move(diagonal), threads);
  gram->assemble();
  return gram;
}

}  // namespace

std::unique_ptr<GramOperator> make_precomputed_gram(const SamplesView& K, Precision precision, int threads) {
  EntrySizes sizes = checked_sizes(K);
  return precision == Precision::float32 ? copy_tiles<float>(K, std::move(sizes), threads)
                                         : copy_tiles<double>(K, std::move(sizes), threads);
}

}  // namespace dualkpca
