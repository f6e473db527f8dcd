#include "model/monitor/contributions.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/parallel.hpp"
#include "model/monitor/statistic_gradients.hpp"

namespace dualkpca {
namespace {

constexpr Index contribution_block = 32;  // kernel values of a block with all stored rows are held several times

// Gauss-Legendre with 16 points on [-1, 1]; the other half of them mirrors these.
constexpr std::array<double, 8> nodes = {0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863,
                                         0.6178762444026437484, 0.7554044083550030339, 0.8656312023878317439,
                                         0.9445750230732325761, 0.9894009349916499326};
constexpr std::array<double, 8> node_weights = {0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382,
                                                0.1495959888165767321, 0.1246289712555338720, 0.0951585116824927848,
                                                0.0622535239386478929, 0.0271524594117540949};

// Returns the stored rows that a row may be compared with: the 90 % with the smallest SPE, or `most` of these rows if
// there are more. An outlier must not serve as a reference.
Matrix ordinary_rows(const Matrix& rows, const Vector& spe) {
  constexpr double share = 0.9;
  constexpr Index most = 2000;
  std::vector<double> sorted(spe.begin(), spe.end());
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), at, sorted.end());
  std::vector<Index> ordinary;
  for (Index i = 0; i < spe.size(); ++i)
    if (spe[i] <= *at) ordinary.push_back(i);
  const auto count = static_cast<Index>(ordinary.size()), taken = std::min(most, count);
  Matrix out(taken, rows.cols());
  for (Index i = 0; i < taken; ++i) out.row(i) = rows.row(ordinary[static_cast<std::size_t>(i * count / taken)]);
  return out;
}

// The nearest row by the Manhattan distance: a fault in one column then leaves the others nearly equal.
Index nearest(const Matrix& rows, const Eigen::RowVectorXd& x) {
  Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < rows.rows(); ++i) {
    const double distance = (rows.row(i) - x).lpNorm<1>();
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

struct Integrals {
  Matrix t2{}, spe{};  ///< integrals of the gradients along the lines, p x d
};

// Integrates along the lines from the rows of `from` to those of `to`, in panels that halve towards `from`: far from
// the training rows a kernel of the distance is flat.
Integrals integrate(const StatisticGradients& gradients, const Matrix& from, const Matrix& to, int panels) {
  Integrals sums{.t2 = Matrix::Zero(from.rows(), from.cols()), .spe = Matrix::Zero(from.rows(), from.cols())};
  double high = 1;
  for (int panel = 1; panel <= panels; ++panel) {
    const double low = panel == panels ? 0 : high / 2, half = (high - low) / 2;
    for (std::size_t node = 0; node < nodes.size(); ++node)
      for (const double side : {-1.0, 1.0}) {
        const double t = low + half * (1 + side * nodes[node]);
        const StatisticGradients::Values values = gradients.at((1 - t) * from + t * to);
        sums.t2 += half * node_weights[node] * values.t2_gradient;
        sums.spe += half * node_weights[node] * values.spe_gradient;
      }
    high = low;
  }
  return sums;
}

// Adds up the columns of each variable, which are `period` apart.
Matrix folded(const Matrix& A, Index period) {
  Matrix out = A.leftCols(period);
  for (Index first = period; first < A.cols(); first += period) out += A.middleCols(first, period);
  return out;
}

class BlockContributions {
 public:
  BlockContributions(const StatisticGradients& gradients, Matrix references, Matrix rows)
      : gradients_(gradients), from_(std::move(references)), to_(std::move(rows)) {
    const StatisticGradients::Values first = gradients.at(from_), last = gradients.at(to_);
    t2_ = last.t2 - first.t2;
    spe_ = last.spe - first.spe;
    t2_size_ = last.t2.cwiseAbs().cwiseMax(first.t2.cwiseAbs());
    spe_size_ = last.spe.cwiseAbs().cwiseMax(first.spe.cwiseAbs());
  }

  // Uses more panels where the parts do not add up to the whole: for very extreme rows the statistics jump near the
  // reference and hardly change on the rest of the line.
  [[nodiscard]] Contributions find() const {
    Contributions out{.t2 = Matrix(to_.rows(), to_.cols()), .spe = Matrix(to_.rows(), to_.cols())};
    std::vector<Index> open(static_cast<std::size_t>(to_.rows()));
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = static_cast<Index>(i);
    for (const int panels : {1, 4, 10, 24, 50}) {
      if (open.empty()) break;
      const Matrix from = from_(open, Eigen::all), to = to_(open, Eigen::all), way = to - from;
      const Integrals integrals = integrate(gradients_, from, to, panels);
      out.t2(open, Eigen::all) = integrals.t2.cwiseProduct(way);
      out.spe(open, Eigen::all) = integrals.spe.cwiseProduct(way);
      std::erase_if(open, [&](Index i) { return adds_up(out, i); });
    }
    return out;
  }

 private:
  [[nodiscard]] bool adds_up(const Contributions& parts, Index i) const {
    constexpr double enough = 1e-7, rounding = 1e-10;
    return std::abs(parts.t2.row(i).sum() - t2_[i]) <= enough * t2_size_[i] + rounding &&
           std::abs(parts.spe.row(i).sum() - spe_[i]) <= enough * spe_size_[i] + rounding;
  }

  const StatisticGradients& gradients_;
  Matrix from_, to_;
  Vector t2_, spe_, t2_size_, spe_size_;
};

}  // namespace

Contributions row_contributions(const FittedModel& model, const SamplesView& samples, int threads) {
  const StatisticGradients gradients(model);
  const Matrix references = ordinary_rows(gradients.rows(), model.row_spe);
  const Index m = samples.rows(), d = model.n_features;
  Contributions out{.t2 = Matrix(m, d), .spe = Matrix(m, d)};
  parallel_blocks(m, contribution_block, threads, [&](Index first, Index count, int) {
    Matrix to = model.input.matrix(samples.slice(first, count), first), from(count, samples.cols());
    for (Index i = 0; i < count; ++i) from.row(i) = references.row(nearest(references, to.row(i)));
    const Contributions found = BlockContributions(gradients, std::move(from), std::move(to)).find();
    out.t2.middleRows(first, count) = folded(found.t2, d);
    out.spe.middleRows(first, count) = folded(found.spe, d);
  });
  return out;
}

}  // namespace dualkpca
