#pragma once

#include <optional>
#include <vector>

#include "dualkpca/gram/gram_operator.hpp"

/// Robust and sparse kernel PCA of others, in float64, for the benchmarks to compare with; fits use solve_loss().
/// Formulas and sources are in docs/math.md, "Methods to compare with". "Our reconstruction" marks a method whose text
/// was not at hand: it was put together from what others say of it.
///
/// All functions take a positive semi-definite G (n x n), centred or not, and 1 <= s <= n. They throw InvalidArgument
/// if s or a parameter is outside its range, and DataError if G turns out to be indefinite; otherwise results are
/// finite. After slow convergence `converged` is false.
namespace dualkpca::baselines {

struct L1KpcaParams {
  Index max_iter = 1000;  ///< iterations for one component, >= 1
};

struct L1KpcaResult {
  Matrix A{};                                    ///< n x s, W = Phi A: A'GA = I; columns beyond the rank of G are zero
  Matrix scores{};                               ///< n x s, GA
  std::vector<Index> iterations{};               ///< of each component
  std::vector<std::vector<double>> objective{};  ///< of each component, c'Gc from the start on: it never falls
  bool converged = true;                         ///< every component came to a fixed point
};

/// L1-norm kernel PCA (Kim and Klabjan, TPAMI 42(8), 2020): w = Phi c / |Phi c| with c in {-1, 1}^n by the fixed point
/// c <- sign(Gc), a local maximum of sum_i |<phi_i, w>|; one component after the other, G deflated in between. Where Gc
/// is zero the sign stays. Starts with the signs of the column j with the largest sum_i |G_ij| / sqrt(G_jj).
/// Cost: n columns of G a component, one product of width 1 an iteration.
[[nodiscard]] L1KpcaResult l1_kpca(const GramOperator& gram, Index s, const L1KpcaParams& params = {});

struct L21RkpcaParams {
  double lambda = 0.1;   ///< weight of sum_i |a_i|, >= 0
  double mu = 0.01;      ///< penalty of the first iteration, > 0; every further one has 1.1 times it, up to 1e6
  Index max_iter = 500;  ///< >= 1
  double tol = 1e-5;     ///< of both primal residuals, relative, > 0
};

struct L21RkpcaResult {
  Matrix A{};                        ///< n x s, W = Phi A: A'GA = I; columns beyond the rank of the solution are zero
  Matrix scores{};                   ///< n x s, GA
  std::vector<double> objective{};   ///< of the model at the start and after every iteration, not monotone
  std::vector<double> residual_e{};  ///< |G^{1/2} - G A B' - E|_F / |G^{1/2}|_F after every iteration
  std::vector<double> residual_c{};  ///< |A - C|_F / max(|A|_F, |C|_F, |A at the start|_F) after every iteration
  double best_objective = 0;         ///< of the point that A is made from: the lowest of `objective`
  Index iterations = 0;
  bool converged = false;
};

/// Robust kernel PCA with l2,1 norms, our reconstruction of D. Wang and T. Tanaka, IEEE Access 8, 2020:
///     min over A, B (n x s), B'B = I of   sum_i |g_i^{1/2} - B A'g_i| + lambda sum_i |a_i|,
/// a_i the rows of A, by the method of multipliers from plain kernel PCA. The point with the lowest objective is kept,
/// and its A normalised to A'GA = I; rows of A can be exactly zero, and all of them are for a large lambda.
/// Cost: some 10 n^2 numbers, O(n^3) once and O(n^2 s) an iteration: for small data.
[[nodiscard]] L21RkpcaResult l21_rkpca(const GramOperator& gram, Index s, const L21RkpcaParams& params = {});

struct SparseKpcaParams {
  double lambda1 = 0;     ///< weight of sum_j |b_j|_1, >= 0
  double lambda2 = 1e-3;  ///< weight of |B|_F^2, >= 0
  /// Share of zero entries of B in [0, 1): lambda1 is then sought by bisection, to within 0.005 or half an entry.
  std::optional<double> sparsity{};
  double tol = 1e-4;      ///< stop when B has changed by less than this, relative, > 0
  Index max_outer = 200;  ///< pairs of steps, >= 1
  Index max_inner = 20;   ///< gradient steps in one of them, >= 1
};

struct SparseKpcaResult {
  Matrix B{};                                    ///< n x s, W = Phi B, not orthogonal; b_j'G b_j is 1, or b_j zero
  Matrix scores{};                               ///< n x s, GB
  std::vector<std::vector<double>> objective{};  ///< after every outer iteration: one list of skpca, s of sskpca
  Index iterations = 0;                          ///< outer ones; with a sparsity those of the last lambda1
  Index products = 0;                            ///< with G, of the whole search
  double lambda1 = 0;                            ///< the one used
  double sparsity = 0;                           ///< share of zero entries of B that was reached
  bool converged = false;                        ///< at that lambda1
};

/// Sparse kernel PCA by the elastic net, our reconstruction of D. Wang and T. Tanaka, IJCNN 2016: sparse PCA (Zou,
/// Hastie and Tibshirani 2006) of the design X = G^{1/2},
///     min over A, B (n x s), A'A = I of   |X - X B A'|_F^2 + lambda2 |B|_F^2 + lambda1 sum_j |b_j|_1,
/// which sees X through X'X = G only. B by accelerated proximal gradient, A by a polar decomposition, from the top
/// eigenvectors of G; the objective never rises. A large lambda1 gives B = 0, and then the scores are zero.
/// Cost: one product of width s a gradient step.
[[nodiscard]] SparseKpcaResult skpca(const GramOperator& gram, Index s, const SparseKpcaParams& params = {});

/// The same one component after the other, our reconstruction of L. Guo, P. Wu, J. Gao and S. Lou, IEEE Access 7, 2019:
/// skpca() with s = 1, from the j-th eigenvector of G, then G <- G - (Gb)(Gb)' / (b'Gb). All components have the same
/// lambda1.
[[nodiscard]] SparseKpcaResult sskpca(const GramOperator& gram, Index s, const SparseKpcaParams& params = {});

/// tr((B'GB)^+ B'G^2 B), the variance in the span of W = Phi B whatever its basis: tr G less this is the squared error
/// of the features projected on it. B is n x s and of any rank; directions that are rounding do not count. One product.
[[nodiscard]] double explained(const GramOperator& gram, const Matrix& B);

}  // namespace dualkpca::baselines
