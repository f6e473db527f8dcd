#include "dualkpca/solver/solver.hpp"

#include <cmath>

#include "core/names.hpp"

namespace dualkpca {
namespace {

constexpr NameTable<SolverName, 5> names = {{{SolverName::automatic, "auto"},
                                             {SolverName::lbfgs, "lbfgs"},
                                             {SolverName::dense, "dense"},
                                             {SolverName::lanczos, "lanczos"},
                                             {SolverName::rsvd, "rsvd"}}};

constexpr Index max_dense_rows = 1000;  // about where LAPACK's n^3 overtakes some twenty products

}  // namespace

std::string_view to_string(SolverName name) { return name_of(names, name); }
SolverName parse_solver(std::string_view name) { return parse_name(names, "solver", name); }

void SolverParams::validate() const {
  if (!(tol >= 0 && tol < 1)) throw InvalidArgument(fmt::format("tol is {}; it must be in [0, 1)", tol));
  if (max_iter < 1) throw InvalidArgument(fmt::format("max_iter is {}; it must be at least 1", max_iter));
  if (!(time_limit >= 0))
    throw InvalidArgument(fmt::format("time_limit is {}; it must be 0 (none) or positive", time_limit));
  if (oversampling < 0) throw InvalidArgument(fmt::format("oversampling is {}; it must be 0 or more", oversampling));
  if (power_iterations && *power_iterations < 0)
    throw InvalidArgument(fmt::format("power_iterations is {}; it must be 0 or more", *power_iterations));
}

SolverName choose_solver(SolverName requested, Index n, bool indefinite) {
  if (requested != SolverName::automatic) return requested;
  if (n <= max_dense_rows) return SolverName::dense;
  return indefinite ? SolverName::lanczos : SolverName::lbfgs;
}

namespace {

SolveResult run(SolverName name, const GramOperator& gram, Index s, const SolverParams& params,
                const Observer& observe) {
  switch (name) {
    case SolverName::dense: return solve_dense(gram, s, params);
    case SolverName::lanczos: return solve_lanczos(gram, s, params, observe);
    case SolverName::rsvd: return solve_rsvd(gram, s, params, observe);
    default: return solve_lbfgs(gram, s, params, observe);
  }
}

}  // namespace

SolveResult solve(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe) {
  params.validate();
  if (s < 1 || s > gram.size())
    throw InvalidArgument(fmt::format("n_components is {}; it must be in 1..{}", s, gram.size()));
  SolveResult result = run(choose_solver(params.name, gram.size()), gram, s, params, observe);
  if (!result.H.allFinite() || !result.GH.allFinite())
    throw DataError("the numbers of this fit leave the range of float64: scale the data");
  return result;
}

}  // namespace dualkpca
