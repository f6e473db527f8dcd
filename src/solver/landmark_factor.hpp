#pragma once

#include <random>
#include <vector>

#include "core/small_eigen.hpp"
#include "dualkpca/gram/gram_operator.hpp"

namespace dualkpca {

/// A partial Cholesky factor F (n x k) of K with randomly chosen pivots, the landmarks: K - FF' is positive
/// semi-definite and its trace is known. Accelerated randomly pivoted Cholesky (Epperly, Tropp, Webber 2024): pivots
/// are proposed in blocks with probabilities from the residual diagonal, and accepted as if they had been drawn one by
/// one. F = K(:, L) chol(K(L, L))^{-T} is kept if it fits `memory`, else evaluated again when it is needed.
class LandmarkFactor {
 public:
  /// K: uncentred. memory 0: no limit.
  LandmarkFactor(const GramOperator& K, std::uint64_t seed, std::size_t memory);

  /// Proposes `count` more pivots; fewer may be accepted. Returns false if none is accepted, for example because
  /// nothing is left of the trace.
  bool grow(Index count);
  [[nodiscard]] Index size() const { return L_.rows(); }
  [[nodiscard]] const std::vector<Index>& pivots() const { return pivots_; }
  [[nodiscard]] double trace() const { return trace_; }  ///< returns tr K
  /// Returns tr(K - FF') plus an allowance for its rounding error.
  [[nodiscard]] double residual_trace() const;
  /// Returns false once a residual has shown that K is not positive semi-definite: grow() looks at the diagonal.
  [[nodiscard]] bool is_positive() const { return positive_; }
  /// Looks at some columns of K - FF', too: if K is positive semi-definite, no entry exceeds the mean of the diagonal
  /// entries of its row and column. Returns true if one does by more than rounding to float32 explains.
  bool look_for_negative(std::uint64_t seed);

  /// Leading eigenpairs of F'F, or of F'JF with J = I - 11'/n.
  struct Spectrum {
    Vector values{};   ///< `count` eigenvalues, descending; padded with zeros
    Matrix vectors{};  ///< k x count
    Vector mean{};     ///< F'1/n, zero if not centred
    double trace = 0;  ///< trace of F'JF, or of F'F
  };
  [[nodiscard]] Spectrum spectrum(Index count, bool centered) const;
  /// Returns F'1/n.
  [[nodiscard]] Vector mean() const;
  /// Returns the squared norms of the columns of F, which are the amounts by which each pivot has lowered the trace.
  [[nodiscard]] Vector column_norms() const;
  /// Returns (F - 1 mean') V, n x V.cols().
  [[nodiscard]] Matrix scores(const Matrix& V, const Vector& mean) const;
  /// Returns L^{-T} V, the coefficients on the kernel functions of the landmarks.
  [[nodiscard]] Matrix coefficients(const Matrix& V) const;
  /// Returns F'U, k x U.cols().
  [[nodiscard]] Matrix product_with(const Matrix& U) const;
  /// Sample of rows, drawn with probabilities p from the diagonal of K - FF'. With the weights 1 / (count p), a sum
  /// over them estimates a sum over all rows.
  struct Sample {
    std::vector<Index> rows{};
    Vector weights{};
  };
  [[nodiscard]] Sample sample_residual(Index count, std::uint64_t seed) const;
  /// Returns the rows of F with these indices.
  [[nodiscard]] Matrix rows(std::span<const Index> indices) const;

 private:
  [[nodiscard]] std::vector<Index> draw(Index count, std::mt19937_64& random) const;
  void extend(const std::vector<Index>& accepted, const Matrix& F_accepted, const Matrix& L_new);
  template <class Visit>
  void for_each_panel(const Visit& visit) const;  // visit(first row, F of some rows)

  const GramOperator& K_;
  std::mt19937_64 random_;
  bool stored_;
  std::size_t memory_;
  Vector diagonal_;  // diagonal of K - FF'
  double trace_;
  double clipped_trace_ = 0;  // negative residuals, due to rounding, that were set to zero
  bool positive_ = true;
  std::vector<Index> pivots_{};
  Matrix L_{};  // k x k, lower
  Matrix F_{};  // n x capacity if stored
};

}  // namespace dualkpca
