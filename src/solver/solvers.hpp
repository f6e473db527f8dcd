#pragma once

#include "dualkpca/solver/solver.hpp"

namespace dualkpca {

// The solvers that solve() chooses from. None of them checks s or its parameters: solve() does.

/// Limited-memory BFGS on the dual (the paper's solver), from a seeded random start. Strong-Wolfe steps are found on
/// GH + a GD, so an iteration costs exactly one product with G. One product starts the run, and three or more check a
/// solution that looks converged because 100 |H - Y|_F^2 / |H|_F^2 <= tol (solver/challenge.hpp).
[[nodiscard]] SolveResult solve_lbfgs(const GramOperator& gram, Index s, const SolverParams& params,
                                      const Observer& observe = {});

/// Minimises the dual exactly over a block Krylov subspace (Rayleigh-Ritz; docs/math.md): one product per iteration
/// with a block of s and some more columns, from a seeded random start. As long as the basis keeps all its vectors, it
/// is never behind L-BFGS from the same start after as many products. Its eta is an estimate from the whole basis,
/// trusted from the third product on, or with Accuracy::certified an upper bound that fails with probability at most
/// 1e-6.
[[nodiscard]] SolveResult solve_krylov(const GramOperator& gram, Index s, const SolverParams& params,
                                       const GramFacts& facts = {}, const Observer& observe = {});

/// Accelerated randomly pivoted Cholesky (Epperly, Tropp, Webber 2024): components in the span of the features of a few
/// rows, from single columns of K and no product. eta is certified by the residual trace if K is known to be positive
/// semi-definite. If that bound is above tol and no certificate is required, eta is estimated from sampled rows.
[[nodiscard]] SolveResult solve_nystrom(const GramOperator& gram, Index s, const SolverParams& params,
                                        const GramFacts& facts = {}, const Observer& observe = {});

/// LAPACK on the explicit matrix: 16 n^2 bytes and O(n^3). One product, with at most 128 components, gives eta; a
/// status other than converged means that rounding in the precision of G allows no smaller eta. Throws Interrupted if
/// the observer stops it.
[[nodiscard]] SolveResult solve_dense(const GramOperator& gram, Index s, const SolverParams& params,
                                      const Observer& observe = {});

/// Implicitly restarted Lanczos (Spectra, after ARPACK) with a basis of 2s + 1 or more vectors: products of width 1,
/// and one of width s at the end for the scores and for eta. A Ritz pair counts as converged when |Gu - theta u| <=
/// sqrt(tol) / 15 theta. A single start vector can miss copies of a repeated eigenvalue, so twenty more steps,
/// orthogonal to the vectors found, look for one. If a challenge (solver/challenge.hpp) then says that eta is above
/// tol, the run is repeated with a smaller factor. An iteration is a restart.
[[nodiscard]] SolveResult solve_lanczos(const GramOperator& gram, Index s, const SolverParams& params,
                                        const Observer& observe = {});

/// Randomized SVD (Halko, Martinsson, Tropp 2011, algorithms 4.4 and 5.3): an orthonormal basis of G^(q+1) Omega with s
/// + oversampling columns, then Rayleigh-Ritz; q + 2 products, and three or more that check a solution which looks
/// converged (solver/challenge.hpp). With power_iterations given, q is that number and eta says how good it was
/// (iteration_limit if above tol); otherwise q grows until eta <= tol.
[[nodiscard]] SolveResult solve_rsvd(const GramOperator& gram, Index s, const SolverParams& params,
                                     const Observer& observe = {});

/// Solvers dca, which is subspace iteration here, and panoc for the square loss, from a seeded random start. eta is
/// that of lbfgs.
[[nodiscard]] SolveResult solve_dc_square(const GramOperator& gram, Index s, const SolverParams& params,
                                          const Observer& observe = {});

}  // namespace dualkpca
