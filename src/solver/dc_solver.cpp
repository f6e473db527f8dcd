#include "solver/dc_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solver/fill_result.hpp"

namespace dualkpca {
namespace {

// After so many products only so many runs go on: differences show early, and every run costs s columns.
struct Cut {
  Index products;
  std::size_t runs;
};
constexpr Cut cuts[] = {{6, 2}, {20, 1}};

struct Runner {
  DcRun run;
  StartReport report{};
  MeritStall stall{};
  double dual = std::numeric_limits<double>::infinity();
  double eta = std::numeric_limits<double>::infinity();
  bool is_done = false;
  bool is_rounding = false;                                        // it is done, and by rounding
  DcOutcome best{.eta = std::numeric_limits<double>::infinity()};  // of the points so far, by eta
};

bool is_better(const Runner& a, const Runner& b) { return a.run.at().value < b.run.at().value; }

void keep_best(std::vector<Runner>& runners, std::size_t count, std::vector<StartReport>& dropped) {
  if (runners.size() <= count) return;
  std::sort(runners.begin(), runners.end(), is_better);
  for (std::size_t i = count; i < runners.size(); ++i) {
    runners[i].report.objective = runners[i].run.at().value;
    dropped.push_back(runners[i].report);
  }
  runners.erase(runners.begin() + static_cast<Index>(count), runners.end());
}

// One product for all that are not done yet.
void multiply(const GramOperator& gram, std::vector<Runner>& runners) {
  Index width = 0;
  for (const Runner& runner : runners) width += runner.is_done ? 0 : runner.run.wanted().cols();
  Matrix V(gram.size(), width), GV(gram.size(), width);
  Index at = 0;
  for (const Runner& runner : runners) {
    if (runner.is_done) continue;
    V.middleCols(at, runner.run.wanted().cols()) = runner.run.wanted();
    at += runner.run.wanted().cols();
  }
  gram.apply(V, GV);
  at = 0;
  for (Runner& runner : runners) {
    if (runner.is_done) continue;
    const Index s = runner.run.wanted().cols();
    runner.run.advance(GV.middleCols(at, s));
    at += s;
  }
}

}  // namespace

double eta_of(const Matrix& H, const Merit& at, const Loss& loss) {
  return loss.name == LossName::square ? estimate_eta(H, at.Y) : at.residual();
}

DcOutcome run_dc(const GramOperator& gram, const DcRun::Problem& problem, std::vector<NamedStart> starts, double tol,
                 Index max_iter, const RunLimits& limits, Index before) {
  std::vector<Runner> runners;
  runners.reserve(starts.size());
  for (NamedStart& start : starts) runners.push_back({DcRun(problem, std::move(start.H)), {.name = start.name}});
  std::vector<StartReport> dropped;
  const bool is_plain = problem.acceleration == Acceleration::none;

  // Slow progress is no standstill, and slower algorithms make it more slowly.
  const Index patience = problem.acceleration == Acceleration::quasi_newton ? 100 : 500;

  // A residual as small as that is rounding, and tol 0 asks for no less.
  const double enough = tol > 0 || is_plain ? tol : 50 * epsilon_of(gram.precision());

  const auto judge = [&](Runner& runner) {
    const double earlier = runner.dual;
    runner.dual = runner.run.at().dual;
    runner.eta = eta_of(runner.run.point(), runner.run.at(), problem.loss);
    const bool paper_rule =
        is_plain && tol == 0 && std::abs(runner.dual - earlier) < std::numeric_limits<double>::epsilon();
    runner.is_rounding = runner.stall.reached(runner.eta, runner.run.at().value, problem.noise, patience);
    if (std::isfinite(runner.dual) && runner.eta < runner.best.eta)
      runner.best = {.H = runner.run.point(), .GH = runner.run.product(), .at = runner.run.at(), .eta = runner.eta};
    // The first point need not be an output of prox.
    runner.is_done = std::isfinite(runner.dual) && (runner.eta <= enough || paper_rule || runner.is_rounding);
  };

  SolveResult stop;  // why it did, if before its end
  Index k = 0;       // products
  for (;; ++k) {
    for (const Cut& cut : cuts)
      if (k == cut.products) keep_best(runners, cut.runs, dropped);
    if (std::all_of(runners.begin(), runners.end(), [](const Runner& r) { return r.is_done; })) break;
    // The first point may be infeasible; the second is a point to return.
    const bool has_point = k > 1 || (k == 1 && std::isfinite(runners.front().dual));
    if (has_point && k > max_iter) {
      stop.status = Status::iteration_limit;
      break;
    }
    if (has_point && limits.reached(before + k - 1, runners.front().eta, stop)) break;
    multiply(gram, runners);
    for (Runner& runner : runners)
      if (!runner.is_done) judge(runner);
  }
  keep_best(runners, 1, dropped);
  Runner& best = runners.front();
  if (best.is_done) stop = {};  // others were not
  // Within rounding later points are no better than earlier ones.
  DcOutcome outcome =
      best.is_rounding
          ? std::move(best.best)
          : DcOutcome{.H = best.run.point(), .GH = best.run.product(), .at = best.run.at(), .eta = best.eta};
  if (best.is_rounding && outcome.eta > tol && tol > 0) stop_by_rounding(stop, outcome.eta, gram.precision());
  best.report.objective = outcome.at.value;
  best.report.is_best = true;
  outcome.starts.push_back(best.report);
  outcome.starts.insert(outcome.starts.end(), dropped.rbegin(), dropped.rend());
  outcome.status = stop.status;
  outcome.stop_reason = stop.stop_reason;
  outcome.message = stop.message;
  outcome.iterations = std::max<Index>(0, k - 1);
  return outcome;
}

}  // namespace dualkpca
