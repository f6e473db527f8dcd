#pragma once

#include <optional>
#include <vector>

#include "dualkpca/gram/gram_operator.hpp"

/// Robust and sparse kernel PCA methods of other authors, in float64, for the benchmarks. Fits of the library itself
/// use solve_loss() instead. Formulas and sources are in docs/math.md, "Methods to compare with". "Our reconstruction"
/// marks a method whose text was not available: it was put together from what other texts say about it.
///
/// All functions take a positive semi-definite G (n x n), centred or not, and 1 <= s <= n. They throw InvalidArgument
/// if s or a parameter is outside its range, and DataError if G turns out to be indefinite; otherwise results are
/// finite. If an iteration reaches its limit, `converged` is false.
namespace dualkpca::baselines {

struct L1KpcaParams {
  Index max_iter = 1000;  ///< iterations for one component, >= 1
};

struct L1KpcaResult {
  Matrix A{};                                    ///< n x s, W = Phi A: A'GA = I; columns beyond the rank of G are zero
  Matrix scores{};                               ///< n x s, GA
  std::vector<Index> iterations{};               ///< iterations of each component
  std::vector<std::vector<double>> objective{};  ///< c'Gc of each component from the start on; it never falls
  bool converged = true;                         ///< every component reached a fixed point
};

/// L1-norm kernel PCA (Kim and Klabjan, TPAMI 42(8), 2020). The direction w = Phi c / |Phi c| with c in {-1, 1}^n is a
/// local maximum of sum_i |<phi_i, w>|. The fixed point iteration c <- sign(Gc) finds it; where Gc is zero the sign
/// stays. Components are found one after the other, and G is deflated in between. The iteration starts with the signs
/// of the column j with the largest sum_i |G_ij| / sqrt(G_jj). Cost: n columns of G per component, one product of width
/// 1 per iteration.
[[nodiscard]] L1KpcaResult l1_kpca(const GramOperator& gram, Index s, const L1KpcaParams& params = {});

struct L21RkpcaParams {
  double lambda = 0.1;   ///< weight of sum_i |a_i|, >= 0
  double mu = 0.01;      ///< penalty of the first iteration, > 0; it grows by 1.1 per iteration up to 1e6
  Index max_iter = 500;  ///< iterations, >= 1
  double tol = 1e-5;     ///< tolerance of both relative primal residuals, > 0
};

struct L21RkpcaResult {
  Matrix A{};                        ///< n x s, W = Phi A: A'GA = I; columns beyond the rank of the solution are zero
  Matrix scores{};                   ///< n x s, GA
  std::vector<double> objective{};   ///< objective at the start and after every iteration, not monotone
  std::vector<double> residual_e{};  ///< |G^{1/2} - G A B' - E|_F / |G^{1/2}|_F after every iteration
  std::vector<double> residual_c{};  ///< |A - C|_F / max(|A|_F, |C|_F, |A at the start|_F) after every iteration
  double best_objective = 0;         ///< lowest value of `objective`; A comes from this point
  Index iterations = 0;
  bool converged = false;
};

/// Robust kernel PCA with l2,1 norms, our reconstruction of D. Wang and T. Tanaka, IEEE Access 8, 2020:
///     min over A, B (n x s), B'B = I of   sum_i |g_i^{1/2} - B A'g_i| + lambda sum_i |a_i|,
/// where a_i are the rows of A. The method of multipliers starts from plain kernel PCA. The point with the lowest
/// objective is kept, and its A is normalised to A'GA = I. Rows of A can be exactly zero, and a large lambda makes all
/// of them zero. Cost: about 10 n^2 numbers, O(n^3) once and O(n^2 s) per iteration, so it is only for small data.
[[nodiscard]] L21RkpcaResult l21_rkpca(const GramOperator& gram, Index s, const L21RkpcaParams& params = {});

struct SparseKpcaParams {
  double lambda1 = 0;     ///< weight of sum_j |b_j|_1, >= 0
  double lambda2 = 1e-3;  ///< weight of |B|_F^2, >= 0
  /// Share of zero entries of B in [0, 1). If set, bisection finds lambda1, to within 0.005 or half an entry.
  std::optional<double> sparsity{};
  double tol = 1e-4;      ///< stop when the relative change of B is less than this, > 0
  Index max_outer = 200;  ///< outer iterations, a step in B and a step in A each, >= 1
  Index max_inner = 20;   ///< gradient steps per outer iteration, >= 1
};

struct SparseKpcaResult {
  Matrix B{};       ///< n x s, W = Phi B, not orthogonal; b_j'G b_j is 1 unless b_j is zero
  Matrix scores{};  ///< n x s, GB
  std::vector<std::vector<double>>
      objective{};         ///< objective after every outer iteration: one list from skpca, s from sskpca
  Index iterations = 0;    ///< outer iterations; if a sparsity is set, those of the last lambda1
  Index products = 0;      ///< products with G in the whole search
  double lambda1 = 0;      ///< lambda1 of this result
  double sparsity = 0;     ///< share of zero entries of B
  bool converged = false;  ///< the iterations for this lambda1 converged
};

/// Sparse kernel PCA by the elastic net, our reconstruction of D. Wang and T. Tanaka, IJCNN 2016. It is sparse PCA
/// (Zou, Hastie and Tibshirani 2006) of the design X = G^{1/2},
///     min over A, B (n x s), A'A = I of   |X - X B A'|_F^2 + lambda2 |B|_F^2 + lambda1 sum_j |b_j|_1,
/// which depends on X only through X'X = G. It starts from the top eigenvectors of G. B is found by accelerated
/// proximal gradient steps and A by a polar decomposition. The objective never rises. A large lambda1 gives B = 0 and
/// zero scores. Cost: one product of width s per gradient step.
[[nodiscard]] SparseKpcaResult skpca(const GramOperator& gram, Index s, const SparseKpcaParams& params = {});

/// Sequential sparse kernel PCA, our reconstruction of L. Guo, P. Wu, J. Gao and S. Lou, IEEE Access 7, 2019. Component
/// j is found by skpca() with s = 1 from the j-th eigenvector of G. Then G <- G - (Gb)(Gb)' / (b'Gb) deflates G. All
/// components have the same lambda1.
[[nodiscard]] SparseKpcaResult sskpca(const GramOperator& gram, Index s, const SparseKpcaParams& params = {});

/// Returns tr((B'GB)^+ B'G^2 B), the variance in the span of W = Phi B. tr G minus this is the squared error of the
/// features projected onto the span. B is n x s and of any rank; directions that are only rounding do not count.
/// Cost: one product.
[[nodiscard]] double explained(const GramOperator& gram, const Matrix& B);

}  // namespace dualkpca::baselines
