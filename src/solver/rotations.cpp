#include "solver/rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "core/decompositions.hpp"
#include "core/tall_matrix.hpp"
#include "dualkpca/core/random.hpp"

namespace dualkpca {
namespace {

constexpr Index random_starts = 100;
constexpr Index sample_entries = 1 << 20;  // rows * w * s of a step on the sample on which candidates are compared
constexpr std::size_t improved_candidates = 12;  // best candidates by merit, which are improved
constexpr int max_steps = 60;                    // steps of one improvement on the sample
constexpr int full_steps = 5;                    // steps of one improvement on all rows
constexpr double same_merit = 1e-6;              // relative: starts this close lead to the same solution

struct RotationCandidate {
  std::string name;
  Matrix R;
  double merit;
};

// Returns a rotation by Kaiser's criterion, which makes many entries large and many entries small.
Matrix varimax(const Matrix& H, int threads) {
  Matrix R = Matrix::Identity(H.cols(), H.cols());
  for (int k = 0; k < max_steps; ++k) {
    const Matrix B = times(H, R, threads);
    const Eigen::RowVectorXd squares = B.array().square().matrix().colwise().mean();
    const Matrix weighted = B.array().cube() - B.array() * squares.replicate(B.rows(), 1).array();
    const Matrix next = polar_factor(inner(H, weighted, threads));
    const double change = (next - R).norm();
    R = next;
    if (change < 1e-6) break;
  }
  return R;
}

void improve(RotationCandidate& candidate, const Matrix& H, const Loss& loss, int steps, int threads) {
  Matrix Y = times(H, candidate.R, threads);
  candidate.merit = -loss.value(Y);
  for (int k = 0; k < steps; ++k) {
    const Matrix M = inner(H, loss.prox(Y), threads);
    if (M.isZero(0)) return;  // the loss is zero at this start
    candidate.R = polar_factor(M);
    Y = times(H, candidate.R, threads);
    const double merit = -loss.value(Y);
    const bool settled = candidate.merit - merit <= 1e-9 * std::abs(merit);
    candidate.merit = merit;
    if (settled) break;
  }
}

Matrix sampled(const Matrix& H, Index s, std::uint64_t seed) {
  const Index sample_rows = std::clamp<Index>(sample_entries / (H.cols() * s), 500, 2000);
  if (H.rows() <= sample_rows) return H;
  std::mt19937_64 random(seed);
  std::vector<Index> rows(static_cast<std::size_t>(H.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::vector<Index> chosen;
  std::sample(rows.begin(), rows.end(), std::back_inserter(chosen), sample_rows, random);
  return H(chosen, Eigen::all);
}

void sort_by_merit(std::vector<RotationCandidate>& candidates, std::size_t count) {
  std::sort(candidates.begin(), candidates.end(),
            [](const RotationCandidate& a, const RotationCandidate& b) { return a.merit < b.merit; });
  candidates.resize(std::min(candidates.size(), count));
}

}  // namespace

std::vector<RotatedStart> rotated_starts(const Matrix& H, Index s, const Loss& loss, Index count, std::uint64_t seed,
                                         int threads) {
  const Index w = H.cols(), kept = std::min(w, s);
  const Matrix sample = sampled(H, s, seed);
  std::vector<RotationCandidate> candidates;
  const auto add = [&](std::string name, Matrix R) {
    const double merit = -loss.value(times(sample, R, threads));
    candidates.push_back({std::move(name), std::move(R), merit});
  };
  add("square loss", Matrix::Identity(w, s));
  Matrix turned = Matrix::Zero(w, s);
  turned.topLeftCorner(kept, kept) = varimax(sample.leftCols(kept), threads);
  add("varimax", std::move(turned));
  for (Index i = 1; i <= random_starts; ++i)
    add(fmt::format("rotation {}", i), polar_factor(random_normal(w, s, seed + static_cast<std::uint64_t>(i))));
  sort_by_merit(candidates, improved_candidates);
  for (RotationCandidate& candidate : candidates) improve(candidate, sample, loss, max_steps, threads);
  sort_by_merit(candidates, improved_candidates);

  std::vector<RotatedStart> starts;
  double last = -std::numeric_limits<double>::infinity();
  for (RotationCandidate& candidate : candidates) {
    if (static_cast<Index>(starts.size()) == count) break;
    if (candidate.merit - last <= same_merit * std::abs(candidate.merit)) continue;
    last = candidate.merit;
    if (sample.rows() < H.rows()) improve(candidate, H, loss, full_steps, threads);
    starts.push_back({candidate.name, times(H, candidate.R, threads), candidate.merit});
  }
  return starts;
}

}  // namespace dualkpca
