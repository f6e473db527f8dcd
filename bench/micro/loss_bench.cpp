// Products with G for losses other than square: the main solver against the DC algorithm of the paper, both to the same
// fixed-point residual, over data sets of standardised or plain rows.
//   loss_bench [--s S] [--tol TOL] [--max-iter N] FILE...
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "dualkpca/core/timer.hpp"
#include "dualkpca/data/read.hpp"
#include "dualkpca/gram/centered.hpp"
#include "dualkpca/gram/stored.hpp"
#include "dualkpca/solver/solver.hpp"
#include "model/fit/solve_dual.hpp"
#include "solver/dc_solver.hpp"

namespace dualkpca {
namespace {

struct Options {
  Index s = 5;
  double tol = 1e-5;
  Index max_iter = 5000;
};

struct Problem {
  std::string set;
  KernelName kernel;
  LossName loss;
  Norm norm;
  double share;  // kappa / kappa_max, or epsilon / median size
};

struct Totals {
  std::vector<double> ratios{};
  void print(const char* what) {
    if (ratios.empty()) return;
    std::sort(ratios.begin(), ratios.end());
    fmt::print("{}: products of panoc / products of dca from a random start: median {:.3f}, worst {:.3f} of {}\n", what,
               ratios[ratios.size() / 2], ratios.back(), ratios.size());
  }
};

class Bench {
 public:
  Bench(const Matrix& X, const Options& options) : X_(X), options_(options) {}

  void run(const Problem& problem, Totals& totals) {
    const auto gram_of_start = gram(problem.kernel);
    const SolverParams fast{.tol = options_.tol, .max_iter = options_.max_iter};
    const GramFacts facts{.positive = true};
    LossParams loss{.name = problem.loss, .norm = problem.norm};
    (problem.loss == LossName::huber ? loss.kappa : loss.epsilon) = 1;
    const Timer fast_timer;
    const SolveResult start = solve_start(*gram_of_start, options_.s, loss, fast, facts, {});
    const Index start_products = gram_of_start->counts().products;
    const Index start_columns = gram_of_start->counts().product_columns;
    const Matrix H = start.H.leftCols(options_.s);
    std::vector<double> sizes = sizes_of(H, problem.norm);
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<Index>(sizes.size() / 2), sizes.end());
    const double number =
        problem.share * (problem.loss == LossName::huber ? largest(H, problem.norm) : sizes[sizes.size() / 2]);
    (problem.loss == LossName::huber ? loss.kappa : loss.epsilon) = number;
    const SolveResult ours = solve_loss(*gram_of_start, options_.s, loss, fast, start, facts);
    const double fast_seconds = fast_timer.seconds();
    // Several starts are counted by their columns.
    const double extra = static_cast<double>(gram_of_start->counts().product_columns - start_columns);
    const double products = static_cast<double>(start_products) + extra / static_cast<double>(options_.s);

    const auto gram_of_dca = gram(problem.kernel);
    const Timer plain_timer;
    SolverParams plain = fast;
    plain.name = SolverName::dca;
    double plain_dual = 0;
    std::string plain_status = "zero";
    try {
      const SolveResult dca = solve_loss(*gram_of_dca, options_.s, loss, plain, {}, facts);
      plain_dual = dca.dual_objective;
      plain_status = to_string(dca.status);
    } catch (const std::exception&) {  // all dual variables became zero
    }
    const double plain_seconds = plain_timer.seconds();
    const auto plain_products = static_cast<double>(gram_of_dca->counts().products);
    const double same_start = dual_of_same_start(*gram_of_dca, {problem.loss, problem.norm, number}, H);

    const auto relative = [&](double other) { return (ours.dual_objective - other) / std::abs(other); };
    fmt::print(
        "| {} | {} | {} | {} | {:.4g} | {:.0f} | {:.2f} | {:.0f} {} | {:.2f} | {:.2f} | {:.8g} | {:+.1e} | {:+.1e} | "
        "{:.1e} |\n",
        problem.set, to_string(problem.kernel), to_string(problem.loss), to_string(problem.norm), number, products,
        fast_seconds, plain_products, plain_status == "converged" ? "" : plain_status, plain_seconds,
        products / plain_products, ours.dual_objective, relative(plain_dual), relative(same_start), ours.eta);
    std::fflush(stdout);
    totals.ratios.push_back(products / plain_products);
  }

 private:
  [[nodiscard]] std::unique_ptr<GramOperator> gram(KernelName name) const {
    const double gamma = name == KernelName::rbf ? gamma_ : 1;
    const std::shared_ptr<const Kernel> kernel = make_kernel(name, gamma, 3, 1);
    return std::make_unique<CenteredGram>(
        make_stored_gram(kernel, DenseRows<double>{X_.data(), X_.rows(), X_.cols(), X_.cols()}, 2));
  }

  // Runs the DC algorithm from the square-loss solution to a tenth of the tolerance.
  [[nodiscard]] double dual_of_same_start(const GramOperator& gram, const Loss& loss, const Matrix& H) const {
    const SolverParams params{.name = SolverName::dca, .tol = options_.tol / 10, .max_iter = options_.max_iter};
    const Observer none;
    const RunLimits limits(params, none);
    const DcRun::Problem problem{.loss = loss, .rule = rank_rule(gram), .acceleration = Acceleration::none};
    return run_dc(gram, problem, {{"square loss", H}}, params.tol, params.max_iter, limits).at.dual;
  }

  [[nodiscard]] static double median_gamma(const Matrix& X) {
    std::vector<double> squares;
    for (Index i = 0; i < 2000; ++i) {
      const Index a = (i * 7919) % X.rows(), b = (i * 104729 + 13) % X.rows();
      if (a != b) squares.push_back((X.row(a) - X.row(b)).squaredNorm());
    }
    std::nth_element(squares.begin(), squares.begin() + static_cast<Index>(squares.size() / 2), squares.end());
    return 1 / squares[squares.size() / 2];
  }

  const Matrix& X_;
  const Options& options_;
  double gamma_ = median_gamma(X_);
};

Matrix centred_rows(const std::string& path) {
  const Dataset data = read_dataset(path, {});
  const SamplesView& view = data.samples.view();
  Matrix X(view.rows(), view.cols());
  for (Index i = 0; i < X.rows(); ++i) view.copy_row(i, X.row(i).data());
  X.rowwise() -= X.colwise().mean().eval();
  return X;
}

void run(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--s") == 0 && i + 1 < argc)
      options.s = std::stol(argv[++i]);
    else if (std::strcmp(argv[i], "--tol") == 0 && i + 1 < argc)
      options.tol = std::stod(argv[++i]);
    else if (std::strcmp(argv[i], "--max-iter") == 0 && i + 1 < argc)
      options.max_iter = std::stol(argv[++i]);
    else
      files.emplace_back(argv[i]);
  }
  Totals rows, entries;
  fmt::print(
      "| set | kernel | loss | norm | kappa or epsilon | products panoc | seconds | products dca | seconds | ratio | "
      "d(H) | "
      "against dca | against dca from the square loss | eta "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::string& file : files) {
    const Matrix X = centred_rows(file);
    Bench bench(X, options);
    for (const KernelName kernel : {KernelName::rbf, KernelName::linear})
      for (const LossName loss : {LossName::huber, LossName::epsilon_insensitive})
        for (const Norm norm : {Norm::rows, Norm::entries})
          for (const double share : loss == LossName::huber ? std::array{0.2, 0.5} : std::array{0.3, 0.7})
            bench.run({std::filesystem::path(file).stem(), kernel, loss, norm, share},
                      norm == Norm::rows ? rows : entries);
  }
  fmt::print("\n");
  rows.print("rows");
  entries.print("entries");
}

}  // namespace
}  // namespace dualkpca

int main(int argc, char** argv) {
  try {
    dualkpca::run(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "loss_bench: {}\n", error.what());
    return 1;
  }
}
