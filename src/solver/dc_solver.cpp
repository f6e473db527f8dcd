#include "solver/dc_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solver/finish.hpp"

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
  Stagnation stagnated{};
  double dual = std::numeric_limits<double>::infinity();
  double eta = std::numeric_limits<double>::infinity();
  bool is_done = false;
  bool is_rounding = false;  // it is done, and by rounding
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
                 Index max_iter, const Limits& limits, SolveResult& result) {
  std::vector<Runner> runners;
  for (NamedStart& start : starts) runners.push_back({DcRun(problem, std::move(start.H)), {.name = start.name}});
  std::vector<StartReport> dropped;
  const Index s = runners.front().run.wanted().cols();

  const auto judge = [&](Runner& runner) {
    const double before = runner.dual;
    runner.dual = runner.run.at().dual;
    runner.eta = eta_of(runner.run.H(), runner.run.at(), problem.loss);
    const bool paper_rule = problem.acceleration == Acceleration::none && tol == 0 &&
                            std::abs(runner.dual - before) < std::numeric_limits<double>::epsilon();
    runner.is_rounding =
        runner.stagnated(runner.eta, runner.run.at().value, rounding_of(runner.run.at().value, gram, problem.rule, s));
    // The first point need not be an output of prox.
    runner.is_done = std::isfinite(runner.dual) && (runner.eta <= tol || paper_rule || runner.is_rounding);
  };

  for (Index k = 0;; ++k) {
    for (const Cut& cut : cuts)
      if (k == cut.products) keep_best(runners, cut.runs, dropped);
    const bool done = std::all_of(runners.begin(), runners.end(), [](const Runner& r) { return r.is_done; });
    if (done) break;
    const double eta = runners.front().eta;
    if (k > 0 && std::isfinite(runners.front().dual)) {  // a point to return is there
      if (k > max_iter) {
        result.status = Status::iteration_limit;
        break;
      }
      if (limits.reached(result.iterations, eta, result)) break;
    }
    multiply(gram, runners);
    if (k > 0) ++result.iterations;
    for (Runner& runner : runners)
      if (!runner.is_done) judge(runner);
  }
  keep_best(runners, 1, dropped);
  Runner& best = runners.front();
  if (result.status == Status::converged && best.is_rounding && best.eta > tol && tol > 0) {
    result.status = Status::stopped;
    result.message = rounding_message(best.eta, gram.precision());
  }
  best.report.objective = best.run.at().value;
  best.report.is_best = true;
  result.starts.push_back(best.report);
  result.starts.insert(result.starts.end(), dropped.rbegin(), dropped.rend());
  return {best.run.H(), best.run.GH(), best.run.at(), best.eta};
}

}  // namespace dualkpca
