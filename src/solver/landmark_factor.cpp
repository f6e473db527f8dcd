#include "solver/landmark_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

// Returns the number of rows of a panel. Panels take about 32 MB, or a small part of the available memory. Smaller
// panels cost overhead, larger ones page faults.
Index panel_rows(Index columns, std::size_t memory) {
  constexpr std::size_t most = std::size_t{4} << 20;
  const std::size_t entries = memory == 0 ? most : std::clamp<std::size_t>(memory / 64, std::size_t{1} << 16, most);
  return std::clamp<Index>(static_cast<Index>(entries) / std::max<Index>(columns, 1), 256, 65536);
}

std::vector<Index> range(Index first, Index count) {
  std::vector<Index> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

Matrix inverse_transposed(const Matrix& L) {
  return L.triangularView<Eigen::Lower>().solve(Matrix::Identity(L.rows(), L.rows())).transpose();
}

// Proposals that are accepted, and the Cholesky factor of their block of H. Proposals are visited one after the other;
// each is accepted with the probability (its residual now) / (its residual when it was proposed).
struct Accepted {
  std::vector<Index> proposals{};
  Matrix L{};
};

Accepted accept_proposals(Matrix H, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  const Index count = H.rows();
  const Vector before = H.diagonal();
  Matrix columns = Matrix::Zero(count, count);
  Accepted accepted;
  for (Index j = 0; j < count; ++j) {
    // A residual below 1e-12 of its first value is rounding: the row is a duplicate or depends on others.
    if (!(uniform(random) * before[j] < H(j, j)) || H(j, j) <= 1e-12 * before[j]) continue;
    const auto k = static_cast<Index>(accepted.proposals.size());
    accepted.proposals.push_back(j);
    const Index rest = count - j;
    columns.col(k).tail(rest) = H.col(j).tail(rest) / std::sqrt(H(j, j));
    H.bottomRightCorner(rest, rest) -= columns.col(k).tail(rest) * columns.col(k).tail(rest).transpose();
  }
  const auto k = static_cast<Index>(accepted.proposals.size());
  accepted.L = Matrix(columns(accepted.proposals, Eigen::all)).leftCols(k);
  return accepted;
}

// Returns the diagonal in float64 from the data, like the columns; K.diagonal() comes from rows in the precision of K.
// Kernels of x - y have ones in either case.
Vector exact_diagonal(const GramOperator& K) {
  Vector diagonal = K.diagonal();
  if (K.precision() == Precision::float64 || diagonal.minCoeff() == diagonal.maxCoeff()) return diagonal;
  constexpr Index few = 16;  // rows of a small block, of which the diagonal is taken
  for (Index first = 0; first < K.size(); first += few) {
    const std::vector<Index> rows = range(first, std::min(few, K.size() - first));
    Matrix block(static_cast<Index>(rows.size()), static_cast<Index>(rows.size()));
    K.exact_block(rows, rows, block);
    diagonal.segment(first, block.rows()) = block.diagonal();
  }
  return diagonal;
}

}  // namespace

LandmarkFactor::LandmarkFactor(const GramOperator& K, std::uint64_t seed, std::size_t memory)
    : K_(K),
      random_(seed),
      stored_(true),
      memory_(memory),
      diagonal_(exact_diagonal(K)),
      trace_(diagonal_.sum()),
      L_(0, 0),
      F_(K.size(), 0) {
  positive_ = diagonal_.minCoeff() >= 0;
}

double LandmarkFactor::residual_trace() const {
  // Every step rounds every entry of the diagonal once.
  const double rounding = 4 * epsilon_of(Precision::float64) * static_cast<double>(size() + 1) * trace_;
  return diagonal_.sum() + 2 * clipped_trace_ + rounding;
}

std::vector<Index> LandmarkFactor::draw(Index count, std::mt19937_64& random) const {
  std::vector<double> sums(static_cast<std::size_t>(diagonal_.size()));
  std::partial_sum(diagonal_.begin(), diagonal_.end(), sums.begin());
  std::uniform_real_distribution<double> uniform(0, sums.back());
  std::vector<Index> proposals;
  for (Index i = 0; i < count; ++i) {
    const auto at = std::upper_bound(sums.begin(), sums.end(), uniform(random));
    proposals.push_back(std::min<Index>(std::distance(sums.begin(), at), diagonal_.size() - 1));
  }
  return proposals;
}

bool LandmarkFactor::grow(Index count) {
  if (!positive_ || !(diagonal_.sum() > 1e-13 * trace_)) return false;
  const std::vector<Index> proposed = draw(count, random_);
  const Matrix F_proposed = rows(proposed);
  Matrix H(count, count);
  K_.exact_block(proposed, proposed, H);
  H -= F_proposed * F_proposed.transpose();
  const Accepted accepted = accept_proposals(std::move(H), random_);
  if (accepted.proposals.empty()) return false;
  std::vector<Index> pivots;
  for (const Index j : accepted.proposals) pivots.push_back(proposed[static_cast<std::size_t>(j)]);
  extend(pivots, Matrix(F_proposed(accepted.proposals, Eigen::all)), accepted.L);
  return true;
}

void LandmarkFactor::extend(const std::vector<Index>& accepted, const Matrix& F_accepted, const Matrix& L_new) {
  const Index n = K_.size(), k = size(), added = L_new.rows();
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
  if (stored_ && F_.cols() < k + added) {
    const Index capacity = std::max(k + added, 2 * k);
    // While it grows, both copies exist.
    stored_ = memory_ == 0 || static_cast<std::size_t>(capacity + k) * bytes <= memory_;
    Matrix wider(stored_ ? n : 0, stored_ ? capacity : 0);
    if (stored_) wider.leftCols(k) = F_.leftCols(k);
    F_ = std::move(wider);
  }
  const Matrix X = inverse_transposed(L_new);
  const Matrix old_to_new = F_accepted.transpose();
  // A matrix given in float32 has been rounded entry by entry.
  const double slack = (K_.precision() == Precision::float32 ? 1e-5 : 1e-10) * trace_ / static_cast<double>(n);
  const auto update = [&](Index first, ConstMatrixRef F) {
    Matrix block(F.rows(), added);
    K_.exact_block(range(first, F.rows()), accepted, block);
    if (k > 0) add_times(block, F, old_to_new, -1.0, 1.0, K_.threads());
    block = times(block, X, K_.threads());
    auto diagonal = diagonal_.segment(first, F.rows());
    diagonal -= block.rowwise().squaredNorm();
    if (diagonal.minCoeff() < -slack) positive_ = false;
    clipped_trace_ -= diagonal.cwiseMin(0.0).sum();
    diagonal = diagonal.cwiseMax(0.0).eval();
    if (stored_) F_.block(first, k, F.rows(), added) = block;
  };
  for_each_panel(update);
  for (const Index pivot : accepted) diagonal_[pivot] = 0;
  Matrix L = Matrix::Zero(k + added, k + added);
  L.topLeftCorner(k, k) = L_;
  L.bottomLeftCorner(added, k) = F_accepted;
  L.bottomRightCorner(added, added) = L_new;
  L_ = std::move(L);
  pivots_.insert(pivots_.end(), accepted.begin(), accepted.end());
}

template <class Visit>
void LandmarkFactor::for_each_panel(const Visit& visit) const {
  const Matrix X = stored_ ? Matrix() : inverse_transposed(L_);
  const Index panel = panel_rows(size(), memory_);
  for (Index first = 0; first < K_.size(); first += panel) {
    const Index count = std::min(panel, K_.size() - first);
    if (stored_) {
      visit(first, F_.block(first, 0, count, size()));
      continue;
    }
    Matrix block(count, size());
    if (size() > 0) K_.exact_block(range(first, count), pivots_, block);
    visit(first, times(block, X, K_.threads()));
  }
}

bool LandmarkFactor::look_for_negative(std::uint64_t seed) {
  constexpr Index columns = 16;
  // A share of the largest entry. Small pivots magnify the rounding of a float32 matrix.
  constexpr double allowed = 1e-4;
  const std::vector<Index> sample = random_subset(K_.size(), std::min(columns, K_.size()), seed);
  const Matrix F_sample = rows(sample);
  const double slack = allowed * K_.diagonal().cwiseAbs().maxCoeff();
  const Eigen::RowVectorXd across = 0.5 * diagonal_(sample).transpose().array() + slack;
  bool is_negative = false;
  for_each_panel([&](Index first, ConstMatrixRef F) {
    Matrix E(F.rows(), F_sample.rows());
    K_.exact_block(range(first, F.rows()), sample, E);
    E -= F * F_sample.transpose();
    const Matrix most = (0.5 * diagonal_.segment(first, F.rows())).replicate(1, E.cols()).rowwise() + across;
    is_negative = is_negative || (E.cwiseAbs() - most).maxCoeff() > 0;
  });
  if (is_negative) positive_ = false;
  return is_negative;
}

Matrix LandmarkFactor::rows(std::span<const Index> indices) const {
  const auto count = static_cast<Index>(indices.size());
  if (size() == 0) return Matrix(count, 0);
  if (stored_) return F_(indices, Eigen::all).leftCols(size());
  Matrix block(count, size());
  K_.exact_block(indices, pivots_, block);
  return times(block, inverse_transposed(L_));
}

LandmarkFactor::Spectrum LandmarkFactor::spectrum(Index count, bool centered) const {
  const Index k = size();
  Matrix C = Matrix::Zero(k, k);
  Vector sum = Vector::Zero(k);
  for_each_panel([&](Index, ConstMatrixRef F) {
    C += inner(F, F, K_.threads());
    sum += F.colwise().sum().transpose();
  });
  Spectrum out;
  out.mean = centered ? Vector(sum / static_cast<double>(K_.size())) : Vector::Zero(k);
  if (centered) C -= sum * out.mean.transpose();
  out.trace = C.trace();
  const SmallEigen eigen = small_eigen(C);
  const Index found = std::min(count, k);
  out.values = Vector::Zero(count);
  out.values.head(found) = eigen.values.head(found).cwiseMax(0.0);
  out.vectors = Matrix::Zero(k, count);
  out.vectors.leftCols(found) = eigen.vectors.leftCols(found);
  return out;
}

Vector LandmarkFactor::mean() const {
  Vector sum = Vector::Zero(size());
  for_each_panel([&](Index, ConstMatrixRef F) { sum += F.colwise().sum().transpose(); });
  return sum / static_cast<double>(K_.size());
}

Vector LandmarkFactor::column_norms() const {
  Vector sum = Vector::Zero(size());
  for_each_panel([&](Index, ConstMatrixRef F) { sum += F.colwise().squaredNorm().transpose(); });
  return sum;
}

Matrix LandmarkFactor::scores(const Matrix& V, const Vector& mean) const {
  const Eigen::RowVectorXd shift = mean.transpose() * V;
  Matrix out(K_.size(), V.cols());
  for_each_panel([&](Index first, ConstMatrixRef F) {
    out.middleRows(first, F.rows()) = times(F, V, K_.threads()).rowwise() - shift;
  });
  return out;
}

Matrix LandmarkFactor::product_with(const Matrix& U) const {
  Matrix out = Matrix::Zero(size(), U.cols());
  for_each_panel([&](Index first, ConstMatrixRef F) { out += inner(F, U.middleRows(first, F.rows()), K_.threads()); });
  return out;
}

LandmarkFactor::Sample LandmarkFactor::sample_residual(Index count, std::uint64_t seed) const {
  Sample sample;
  const double left = diagonal_.sum();
  if (!(left > 0)) return sample;
  std::mt19937_64 random(seed);
  sample.rows = draw(count, random);
  sample.weights.resize(count);
  for (Index i = 0; i < count; ++i)
    sample.weights[i] = left / (static_cast<double>(count) * diagonal_[sample.rows[static_cast<std::size_t>(i)]]);
  return sample;
}

Matrix LandmarkFactor::coefficients(const Matrix& V) const {
  return L_.transpose().triangularView<Eigen::Upper>().solve(V);
}

}  // namespace dualkpca
