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

// All runs of one problem, side by side.
class DcRace {
 public:
  DcRace(const GramOperator& gram, const DcRun::Problem& problem, std::vector<NamedStart> starts, double tol)
      : gram_(gram), problem_(problem), is_plain_(problem.acceleration == Acceleration::none), tol_(tol) {
    runners_.reserve(starts.size());
    for (NamedStart& start : starts) runners_.push_back({DcRun(problem, std::move(start.H)), {.name = start.name}});
  }

  DcOutcome run(Index max_iter, const RunLimits& limits, Index before) {
    for (;; ++products_) {
      for (const Cut& cut : cuts)
        if (products_ == cut.products) keep_best(runners_, cut.runs, dropped_);
      if (std::all_of(runners_.begin(), runners_.end(), [](const Runner& r) { return r.is_done; })) break;
      if (has_to_stop(max_iter, limits, before)) break;
      multiply(gram_, runners_);
      for (Runner& runner : runners_)
        if (!runner.is_done) judge(runner);
    }
    keep_best(runners_, 1, dropped_);
    return conclude(runners_.front());
  }

 private:
  [[nodiscard]] bool has_to_stop(Index max_iter, const RunLimits& limits, Index before) {
    // The first point may be infeasible; the second is a point to return.
    const bool has_point = products_ > 1 || (products_ == 1 && std::isfinite(runners_.front().dual));
    if (!has_point) return false;
    if (products_ > max_iter) {
      stop_.status = Status::iteration_limit;
      return true;
    }
    return limits.reached(before + products_ - 1, runners_.front().eta, stop_);
  }

  // Takes note of the point that a run has come to, and says whether it is done.
  void judge(Runner& runner) const {
    // Slow progress is no standstill, and slower algorithms make it more slowly.
    const Index patience = problem_.acceleration == Acceleration::quasi_newton ? 100 : 500;
    // A residual as small as that is rounding, and tol 0 asks for no less.
    const double enough = tol_ > 0 || is_plain_ ? tol_ : 50 * epsilon_of(gram_.precision());
    const double earlier = runner.dual;
    runner.dual = runner.run.at().dual;
    runner.eta = eta_of(runner.run.point(), runner.run.at(), problem_.loss);
    const bool paper_rule =
        is_plain_ && tol_ == 0 && std::abs(runner.dual - earlier) < std::numeric_limits<double>::epsilon();
    runner.is_rounding = runner.stall.reached(runner.eta, runner.run.at().value, problem_.noise, patience);
    if (std::isfinite(runner.dual) && runner.eta < runner.best.eta)
      runner.best = {.H = runner.run.point(), .GH = runner.run.product(), .at = runner.run.at(), .eta = runner.eta};
    // The first point need not be an output of prox.
    runner.is_done = std::isfinite(runner.dual) && (runner.eta <= enough || paper_rule || runner.is_rounding);
  }

  DcOutcome conclude(Runner& best) {
    if (best.is_done) stop_ = {};  // others were not
    // Within rounding later points are no better than earlier ones.
    DcOutcome outcome =
        best.is_rounding
            ? std::move(best.best)
            : DcOutcome{.H = best.run.point(), .GH = best.run.product(), .at = best.run.at(), .eta = best.eta};
    if (best.is_rounding && outcome.eta > tol_ && tol_ > 0) stop_by_rounding(stop_, outcome.eta, gram_.precision());
    best.report.objective = outcome.at.value;
    best.report.is_best = true;
    outcome.starts.push_back(best.report);
    outcome.starts.insert(outcome.starts.end(), dropped_.rbegin(), dropped_.rend());
    outcome.status = stop_.status;
    outcome.stop_reason = stop_.stop_reason;
    outcome.message = stop_.message;
    outcome.iterations = std::max<Index>(0, products_ - 1);
    return outcome;
  }

  const GramOperator& gram_;
  const DcRun::Problem& problem_;
  bool is_plain_;
  double tol_;
  std::vector<Runner> runners_{};
  std::vector<StartReport> dropped_{};
  SolveResult stop_{};  // why the race has ended, if before all were done
  Index products_ = 0;
};

}  // namespace

double eta_of(const Matrix& H, const Merit& at, const Loss& loss) {
  return loss.name == LossName::square ? estimate_eta(H, at.Y) : at.residual();
}

DcOutcome run_dc(const GramOperator& gram, const DcRun::Problem& problem, std::vector<NamedStart> starts, double tol,
                 Index max_iter, const RunLimits& limits, Index before) {
  return DcRace(gram, problem, std::move(starts), tol).run(max_iter, limits, before);
}

}  // namespace dualkpca
