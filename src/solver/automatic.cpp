#include "solver/automatic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "solver/krylov.hpp"
#include "solver/landmark_solution.hpp"
#include "solver/solvers.hpp"

namespace dualkpca {
namespace {

constexpr Index landmarks_alone = 1000;  // least number if G does not fit the memory, however slowly eta falls
constexpr Index few_rows = 500;          // up to so many rows landmarks would save nothing

// Returns the number of rows up to which LAPACK is the fastest: 250 for 2 components, 470 for 5, 930 for 20. With more
// rows its n^3 exceeds the cost of a dozen products and of a basis of their columns.
Index max_dense_rows(Index s, Index n) {
  return static_cast<Index>(100 * std::pow(static_cast<double>(krylov_block(s, n)), 2.0 / 3));
}

SolveResult with_reason(SolveResult result, SolverName solver, std::string reason) {
  result.solver = solver;
  result.reason = std::move(reason);
  return result;
}

// Returns the number of landmarks for a warm start. They cost about half a product of w columns, kernel values
// included. At 15000 rows twice as many saved no product and cost one.
Index warm_landmarks(Index n, Index w) {
  return std::max(2 * w, static_cast<Index>(std::sqrt(static_cast<double>(n) * static_cast<double>(w) / 96)));
}

// Returns the number of landmarks that cost as much as G and about ten products; only the upper limit counts if G
// cannot be stored.
Index affordable_landmarks(Index n, bool storable) {
  constexpr Index most = 4000;
  return storable ? std::min(most, static_cast<Index>(8 * std::sqrt(static_cast<double>(n)))) : most;
}

// Returns leading eigenvectors of the landmark solution and random columns. The latter see clusters that contain no
// landmark.
Matrix first_block(LandmarkSolution& landmarks, Index n, Index s, std::uint64_t seed) {
  const Index extra = krylov_block(s, n) - s, width = std::min({n, widest_block(s), s + extra + extra / 2});
  const Index random = (width - s + 1) / 2, known = std::min(width - random, landmarks.factor().size());
  Matrix W(n, known + random);
  W.leftCols(known) = landmarks.vectors(known);
  W.rightCols(random) = random_normal(n, random, seed);
  return W;
}

}  // namespace

bool automatic_is_dense(Index n, Index s) { return n <= max_dense_rows(s, n) || 4 * krylov_block(s, n) >= n; }

namespace {

SolveResult solve_indefinite(const GramOperator& gram, Index s, const SolverParams& params, const Observer& observe,
                             const char* reason) {
  return with_reason(solve_lanczos(gram, s, params, observe), SolverName::lanczos, reason);
}

SolveResult solve_positive(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                           const Observer& observe) {
  const Index n = gram.size(), block = krylov_block(s, n);
  if (n <= few_rows)
    return with_reason(solve_krylov(gram, s, params, facts, observe), SolverName::krylov,
                       fmt::format("there are at most {} rows", few_rows));

  LandmarkSolution landmarks(gram, s, params, facts);
  SolveResult result;
  const Index most = affordable_landmarks(n, facts.storable);
  landmarks.run({.least = facts.storable ? warm_landmarks(n, block) : landmarks_alone,
                 .most = params.landmarks > 0 ? std::max(s, std::min(params.landmarks, most)) : most,
                 .stop_if_out_of_reach = true,
                 .prefer_certificate = !facts.storable},  // no other solver can follow
                observe, result);
  if (landmarks.is_indefinite())
    throw DataError("the kernel matrix is not positive semi-definite: choose solver dense or lanczos");
  const std::string found = fmt::format("{} landmarks give an eta of {:.2g} ({})", landmarks.factor().size(),
                                        landmarks.eta(), to_string(landmarks.kind()));
  if (landmarks.is_met()) {
    landmarks.fill_result(result);
    result.iterations = landmarks.factor().size();
    return with_reason(std::move(result), SolverName::nystrom, found);
  }
  if (result.status != Status::converged || !facts.storable) {
    landmarks.fill_result(result);
    result.iterations = landmarks.factor().size();
    if (result.status == Status::converged) {
      result.status = Status::stopped;
      result.stop_reason = StopReason::landmarks;
      result.message =
          "the Gram matrix does not fit the memory budget, and landmarks do not reach tol; raise memory or tol";
    }
    return with_reason(std::move(result), SolverName::nystrom, found);
  }
  const Index trust = landmarks.misses_no_component() ? 1 : 2;
  return with_reason(
      solve_krylov_from(first_block(landmarks, n, s, params.seed), trust, gram, s, params, facts, observe),
      SolverName::krylov, found + ", above tol");
}

}  // namespace

SolveResult solve_automatic(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts,
                            const Observer& observe) {
  const Index n = gram.size();
  if (automatic_is_dense(n, s))
    return with_reason(solve_dense(gram, s, params, observe), SolverName::dense,
                       n <= max_dense_rows(s, n)
                           ? fmt::format("there are at most {} rows", max_dense_rows(s, n))
                           : fmt::format("{} components of {} rows are too many for a Krylov basis", s, n));
  if (facts.indefinite)
    return solve_indefinite(gram, s, params, observe,
                            "the kernel may be indefinite, and the dual needs a positive semi-definite one");
  try {
    return solve_positive(gram, s, params, facts, observe);
  } catch (const DataError&) {
    // A given matrix may not be positive semi-definite, which is known only once a solver meets a negative eigenvalue.
    if (facts.positive || params.accuracy == Accuracy::certified) throw;
    SolveResult result =
        solve_indefinite(gram, s, params, observe,
                         "the kernel matrix has negative eigenvalues, and the dual needs a matrix that has none");
    if (result.H.isZero(0)) throw;  // no eigenvalue is positive
    return result;
  }
}

}  // namespace dualkpca
