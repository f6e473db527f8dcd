#include "solver/dc_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solver/fill_result.hpp"

namespace dualkpca {
namespace {

// After `products` products only the best `runs` runs go on: differences show early, and every run costs s columns.
struct Cut {
  Index products;
  std::size_t runs;
};
constexpr Cut cuts[] = {{6, 2}, {20, 1}};

struct RunState {
  DcRun run;
  StartReport report{};
  MeritStall stall{};
  double dual = std::numeric_limits<double>::infinity();
  double eta = std::numeric_limits<double>::infinity();
  bool is_done = false;
  bool is_rounding = false;                                        // it is done because of rounding
  DcOutcome best{.eta = std::numeric_limits<double>::infinity()};  // point with the smallest eta so far
};

bool is_better(const RunState& a, const RunState& b) { return a.run.at().value < b.run.at().value; }

void keep_best(std::vector<RunState>& runs, std::size_t count, std::vector<StartReport>& dropped) {
  if (runs.size() <= count) return;
  std::sort(runs.begin(), runs.end(), is_better);
  for (std::size_t i = count; i < runs.size(); ++i) {
    runs[i].report.objective = runs[i].run.at().value;
    dropped.push_back(runs[i].report);
  }
  runs.erase(runs.begin() + static_cast<Index>(count), runs.end());
}

// Makes one product for all runs that are not done yet.
void multiply(const GramOperator& gram, std::vector<RunState>& runs) {
  Index width = 0;
  for (const RunState& state : runs) width += state.is_done ? 0 : state.run.next_point().cols();
  Matrix V(gram.size(), width), GV(gram.size(), width);
  Index at = 0;
  for (const RunState& state : runs) {
    if (state.is_done) continue;
    V.middleCols(at, state.run.next_point().cols()) = state.run.next_point();
    at += state.run.next_point().cols();
  }
  gram.apply(V, GV);
  at = 0;
  for (RunState& state : runs) {
    if (state.is_done) continue;
    const Index s = state.run.next_point().cols();
    state.run.advance(GV.middleCols(at, s));
    at += s;
  }
}

// All runs of one problem, side by side.
class DcRace {
 public:
  DcRace(const GramOperator& gram, const DcRun::Problem& problem, std::vector<NamedStart> starts, double tol)
      : gram_(gram), problem_(problem), is_plain_(problem.acceleration == Acceleration::none), tol_(tol) {
    runs_.reserve(starts.size());
    for (NamedStart& start : starts) runs_.push_back({DcRun(problem, std::move(start.H)), {.name = start.name}});
  }

  DcOutcome run(Index max_iter, const RunLimits& limits, Index before) {
    for (;; ++products_) {
      for (const Cut& cut : cuts)
        if (products_ == cut.products) keep_best(runs_, cut.runs, dropped_);
      if (std::all_of(runs_.begin(), runs_.end(), [](const RunState& r) { return r.is_done; })) break;
      if (has_to_stop(max_iter, limits, before)) break;
      multiply(gram_, runs_);
      for (RunState& state : runs_)
        if (!state.is_done) judge(state);
    }
    keep_best(runs_, 1, dropped_);
    return conclude(runs_.front());
  }

 private:
  [[nodiscard]] bool has_to_stop(Index max_iter, const RunLimits& limits, Index before) {
    // The first point may be infeasible; the second is feasible and can be returned.
    const bool has_point = products_ > 1 || (products_ == 1 && std::isfinite(runs_.front().dual));
    if (!has_point) return false;
    if (products_ > max_iter) {
      stop_.status = Status::iteration_limit;
      return true;
    }
    return limits.reached(before + products_ - 1, runs_.front().eta, stop_);
  }

  // Records the current point of a run and decides whether the run is done.
  void judge(RunState& state) const {
    // Slow progress is not a standstill, so the slower algorithms get more patience.
    const Index patience = problem_.acceleration == Acceleration::quasi_newton ? 100 : 500;
    // A residual this small is rounding; tol 0 asks for nothing smaller.
    const double enough = tol_ > 0 || is_plain_ ? tol_ : 50 * epsilon_of(gram_.precision());
    const double earlier = state.dual;
    state.dual = state.run.at().dual;
    state.eta = eta_of(state.run.point(), state.run.at(), problem_.loss);
    const bool paper_rule =
        is_plain_ && tol_ == 0 && std::abs(state.dual - earlier) < std::numeric_limits<double>::epsilon();
    state.is_rounding = state.stall.reached(state.eta, state.run.at().value, problem_.noise, patience);
    if (std::isfinite(state.dual) && state.eta < state.best.eta)
      state.best = {.H = state.run.point(), .GH = state.run.product(), .at = state.run.at(), .eta = state.eta};
    // The first point need not be an output of prox, so its dual value may be infinite.
    state.is_done = std::isfinite(state.dual) && (state.eta <= enough || paper_rule || state.is_rounding);
  }

  DcOutcome conclude(RunState& best) {
    if (best.is_done) stop_ = {};  // the limit stopped other runs only
    // Once only rounding is left, later points are no better than earlier ones.
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
  std::vector<RunState> runs_{};
  std::vector<StartReport> dropped_{};
  SolveResult stop_{};  // why the race ended before all runs were done, if it did
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
