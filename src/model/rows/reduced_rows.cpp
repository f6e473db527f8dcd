#include "model/rows/reduced_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/blas.hpp"
#include "core/orthonormal_basis.hpp"
#include "core/parallel.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

constexpr Index chunk = 256;           // rows at a time
constexpr Index largest_pilot = 2000;  // rows in which directions are looked for

template <class T>
std::vector<Index> informative_columns(const DenseRows<T>& X, bool constant_is_enough, int threads) {
  const auto d = static_cast<std::size_t>(X.cols);
  std::vector<std::vector<char>> differs(static_cast<std::size_t>(threads), std::vector<char>(d, 0));
  const std::vector<T> reference =
      constant_is_enough ? std::vector<T>(X.row(0), X.row(0) + d) : std::vector<T>(d, T{0});
  parallel_blocks(X.rows, chunk, threads, [&](Index first, Index count, int thread) {
    char* differs_here = differs[static_cast<std::size_t>(thread)].data();
    for (Index i = first; i < first + count; ++i)
      for (std::size_t j = 0; j < d; ++j)
        differs_here[j] = static_cast<char>(differs_here[j] | (X.row(i)[j] != reference[j]));
  });
  std::vector<Index> columns;
  for (std::size_t j = 0; j < d; ++j)
    if (std::any_of(differs.begin(), differs.end(), [&](const auto& differs_here) { return differs_here[j] != 0; }))
      columns.push_back(static_cast<Index>(j));
  if (columns.empty()) columns.push_back(0);
  return columns;
}

template <class T>
Samples copy_columns(const DenseRows<T>& X, const std::vector<Index>& columns, int threads) {
  const auto d = static_cast<Index>(columns.size());
  std::vector<T> values(static_cast<std::size_t>(X.rows * d));
  parallel_blocks(X.rows, chunk, threads, [&](Index first, Index count, int) {
    for (Index i = first; i < first + count; ++i)
      for (Index j = 0; j < d; ++j)
        values[static_cast<std::size_t>(i * d + j)] = X.row(i)[columns[static_cast<std::size_t>(j)]];
  });
  return {std::move(values), X.rows, d};
}

// Copies the given columns of rows pick(0) .. pick(count - 1), widened to float64.
template <class T, class Pick>
void widen(const DenseRows<T>& X, const std::vector<Index>& columns, Index count, const Pick& pick, double* out) {
  for (Index i = 0; i < count; ++i)
    for (const Index j : columns) *out++ = static_cast<double>(X.row(pick(i))[j]);
}

// Changes of rows that change no entry of K by more than rounding does; the bounds are in docs/math.md.
struct Allowance {
  double energy = 0;    // |x - VV'x|^2, the part of a row left out, that changes entries by epsilon
  double rounding = 0;  // change of an entry by rounding of the coordinates, in units of epsilon
};

// For kernels of the inner product, changes are relative to the largest entry on the diagonal.
std::optional<Allowance> allowance_for(const ResolvedKernel& kernel, double epsilon, double smallest_square,
                                       double largest_square) {
  const double g = kernel.gamma, length = std::sqrt(largest_square);
  const double cap = std::numbers::e;
  switch (kernel.name) {
    case KernelName::rbf: return Allowance{epsilon / (4 * g), std::sqrt(2 * g / cap) * length};
    case KernelName::laplace: return Allowance{std::pow(epsilon / (2 * g), 2), g * length};
    case KernelName::matern32: return Allowance{epsilon / (6 * g * g), std::sqrt(3.0) / cap * g * length};
    case KernelName::matern52: return Allowance{0.3 * epsilon / (g * g), 0.63 * g * length};
    case KernelName::linear: return Allowance{epsilon * largest_square, 1};
    case KernelName::sigmoid: return Allowance{epsilon / g, g * largest_square};
    case KernelName::poly: {
      const double p = kernel.degree, base = g * largest_square + std::abs(kernel.coef0);
      const double largest = std::pow(
          std::max(std::abs(g * largest_square + kernel.coef0), std::abs(g * smallest_square + kernel.coef0)), p);
      const double slope = p * g * std::pow(base, p - 1) / largest;
      return Allowance{epsilon / slope, slope * largest_square};
    }
    default:
      return std::nullopt;  // laplacian is not a function of the Euclidean distance; cosine divides by short rows
  }
}

template <class T>
std::optional<Samples> projected(const DenseRows<T>& X, const std::vector<Index>& columns, const ResolvedKernel& kernel,
                                 Index most, int threads, std::uint64_t seed) {
  constexpr double epsilon = epsilon_of(precision_of<T>), worst_rounding = 4;
  const auto d = static_cast<Index>(columns.size());
  double smallest = std::numeric_limits<double>::max(), largest = 0;
  for (Index i = 0; i < X.rows; ++i) {
    const double square =
        Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(X.row(i), X.cols).template cast<double>().squaredNorm();
    smallest = std::min(smallest, square), largest = std::max(largest, square);
  }
  const auto allowance = allowance_for(kernel, epsilon, smallest, largest);
  if (!allowance || !(allowance->energy > 0) || !(allowance->rounding <= worst_rounding)) return std::nullopt;

  const std::vector<Index> chosen = random_subset(X.rows, std::min(X.rows, largest_pilot), seed);
  const auto m = static_cast<Index>(chosen.size());
  Matrix sample(m, d);
  widen(
      X, columns, m, [&](Index i) { return chosen[static_cast<std::size_t>(i)]; }, sample.data());
  // A tenth of the allowed energy, divided evenly among the columns.
  const auto basis =
      orthonormal_basis(sample, 0.1 * allowance->energy * static_cast<double>(m) / static_cast<double>(d));
  // If there are nearly as many directions as sampled rows, the sample says nothing about other rows.
  const Index r = basis.rank;
  if (r < 1 || r > most || 3 * r > 2 * m) return std::nullopt;

  std::vector<T> values(static_cast<std::size_t>(X.rows * r));
  std::vector<double> left_out(static_cast<std::size_t>(threads), 0.0);
  parallel_blocks(X.rows, chunk, threads, [&](Index first, Index count, int thread) {
    Matrix wide(count, d), coordinates(count, d);
    widen(
        X, columns, count, [&](Index i) { return first + i; }, wide.data());
    blas::gemm(blas::Op::none, blas::Op::transpose, count, d, d, 1.0, wide.data(), d, basis.Qt.data(), d, 0.0,
               coordinates.data(), d);
    double& energy = left_out[static_cast<std::size_t>(thread)];
    energy = std::max(energy, coordinates.rightCols(d - r).rowwise().squaredNorm().maxCoeff());
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(values.data() + first * r, count, r) =
        coordinates.leftCols(r).template cast<T>();
  });
  // Written with !(<=) and not with >, so that a NaN does not pass.
  if (!(*std::max_element(left_out.begin(), left_out.end()) <= allowance->energy)) return std::nullopt;
  return Samples(std::move(values), X.rows, r);
}

// Largest number r of directions for which a projection of n rows with d columns pays. It must save a tenth of the
// columns, and the work saved in the Gram matrix, n^2 (d - r), must be 1.5 times that of finding and using the basis,
// which runs in float64 at half the speed.
Index most_directions(Index n, Index d) {
  constexpr Index direct = 32;  // up to so many columns distances cost little and are exact
  if (d <= direct) return 0;
  const auto rows = static_cast<double>(n), cols = static_cast<double>(d);
  const double pilot = static_cast<double>(std::min(n, largest_pilot));
  const double cost = 4 * (rows + pilot + cols) * cols * cols;
  return static_cast<Index>(std::min(0.9 * cols, cols - 1.5 * cost / (rows * rows)));
}

template <class T>
Samples reduced(const Samples& samples, const ResolvedKernel& kernel, bool centered, int threads, std::uint64_t seed) {
  const SamplesView& rows = samples.view();
  const std::vector<Index> columns = informative_columns(rows, kernel, centered, threads);
  const auto d = static_cast<Index>(columns.size());
  if (const Index most = most_directions(rows.rows(), d); most > 0)
    if (auto projection = projected_rows(rows, columns, kernel, most, threads, seed)) return *std::move(projection);
  // A copy touches n d numbers, and every column that it omits saves n^2 multiply-adds.
  const bool worth_a_copy = rows.rows() * (rows.cols() - d) >= 8 * d;
  return worth_a_copy ? copy_columns(rows.dense<T>(), columns, threads) : samples;
}

}  // namespace

std::vector<Index> informative_columns(const SamplesView& rows, const ResolvedKernel& kernel, bool centered,
                                       int threads) {
  return rows.precision() == Precision::float32
             ? informative_columns(rows.dense<float>(), may_move(kernel.name, centered), threads)
             : informative_columns(rows.dense<double>(), may_move(kernel.name, centered), threads);
}

std::optional<Samples> projected_rows(const SamplesView& rows, const std::vector<Index>& columns,
                                      const ResolvedKernel& kernel, Index most, int threads, std::uint64_t seed) {
  return rows.precision() == Precision::float32 ? projected(rows.dense<float>(), columns, kernel, most, threads, seed)
                                                : projected(rows.dense<double>(), columns, kernel, most, threads, seed);
}

std::size_t reduced_rows_bytes(Index n, Index d, Precision precision) {
  const Index copied = n * d, pilot = most_directions(n, d) > 0 ? (std::min(n, largest_pilot) + 2 * d) * d : 0;
  return static_cast<std::size_t>(copied) * bytes_of(precision) + static_cast<std::size_t>(pilot) * sizeof(double);
}

Samples reduced_rows(const Samples& rows, const ResolvedKernel& kernel, bool centered, int threads,
                     std::uint64_t seed) {
  if (rows.view().is_sparse()) return rows;
  return rows.view().precision() == Precision::float32 ? reduced<float>(rows, kernel, centered, threads, seed)
                                                       : reduced<double>(rows, kernel, centered, threads, seed);
}

}  // namespace dualkpca
