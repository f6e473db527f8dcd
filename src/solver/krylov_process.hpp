#pragma once

#include <limits>
#include <memory>

#include "dualkpca/gram/gram_operator.hpp"
#include "solver/eigenvalue_probes.hpp"
#include "solver/krylov_space.hpp"
#include "solver/product_errors.hpp"

namespace dualkpca {

/// Block Krylov iteration for the s largest eigenvalues of G: every step is one product, with a block of residuals and,
/// for a certificate, with the probes that bound the eigenvalues outside the basis (docs/math.md, "Krylov").
class KrylovProcess {
 public:
  struct Options {
    Index block = 0;         ///< columns of a step without probes
    Index probes = 16;       ///< columns that probes add
    Index max_columns = 0;   ///< columns of the basis at which it restarts from its best part
    std::uint64_t seed = 0;  ///< seed of the probes
    double failure = 1e-6;   ///< largest probability that a certificate is wrong: half for all sets of probes, half
                             ///< for all samples of rounding errors
    bool use_probes = true;  ///< off only in tests: the last block then estimates what is outside
  };

  KrylovProcess(const GramOperator& gram, Index s, const Options& options);

  /// Begins with the range of W (n x w); no product.
  void start(Matrix W);
  /// Begins with vectors whose product is known.
  void start(const Matrix& H, const Matrix& GH);
  /// Adds the columns of W to the block of the next product.
  void widen(const Matrix& W);
  /// Returns true if the basis no longer contains all vectors that it had.
  [[nodiscard]] bool has_restarted() const { return has_restarted_; }
  /// Makes one product. There must be a next block.
  void step();
  /// Returns false when the basis is invariant under G and the bound on the eigenvalues outside it cannot improve.
  [[nodiscard]] bool can_step() const {
    return next_.cols() > 0 || (certifying_ && (!probes_ || probes_->vectors().cols() > 0));
  }

  /// Returns the spectrum of the basis; its residual may be empty.
  [[nodiscard]] const BasisSpectrum& spectrum() const { return spectrum_; }
  /// Returns |GU - U Theta|_F of the first s Ritz vectors, from the vectors themselves.
  [[nodiscard]] double residual_norm() const { return residual_norm_; }
  /// Returns |Gu - theta u| of as many first Ritz vectors as a block has columns.
  [[nodiscard]] const Vector& residual_lengths() const { return residual_lengths_; }
  /// Estimates eta at the Ritz point; the last block stands for the directions outside the basis. An estimate of at
  /// most `enough` need not be sharp, which saves three decompositions as large as the basis.
  /// `rounding`: the squared lengths of the rounding errors of all Ritz vectors' products; empty for none.
  [[nodiscard]] double estimated_eta(double enough, const Vector& rounding = {}) const;
  /// Returns these squares, as large as they are likely to be. In float32 they are measured if they matter to
  /// estimated_eta(). `most`: what rounding may change in each row of a product at most; empty if that is not known.
  [[nodiscard]] Vector rounding_squares(double enough, const Vector& most);

  /// Returns rho^2 / (theta_s - theta_{s+1}) / sum. It is far above eta while Ritz vectors still move across the cut
  /// between s and s + 1, so it measures how well the basis contains the wanted eigenvectors.
  [[nodiscard]] double separation() const;

  /// Makes every later product carry probes.
  void start_certifying() { certifying_ = options_.use_probes; }
  /// Returns the number of sets of probes drawn so far.
  [[nodiscard]] Index probe_sets() const { return probe_sets_; }
  /// Returns a bound on Lambda_s(G) - sum(), apart from rounding; infinite while there is none.
  [[nodiscard]] double certified_excess();
  /// The same bound including the rounding errors of the products, and bounds on these errors.
  struct Certificate {
    double excess;
    ProductErrors errors;
  };
  [[nodiscard]] Certificate certificate();
  /// Bounds the rounding errors of the products with the first `count` columns of the basis. They are those that the
  /// process has started with until it restarts.
  [[nodiscard]] ProductErrors errors_of_first(Index count);
  /// Returns the lowest Rayleigh quotient met. If it is clearly negative, G is indefinite.
  [[nodiscard]] double lowest_quotient() const;

  /// Q Z and GQ Z for the first `count` Ritz vectors.
  struct Vectors {
    Matrix U, GU;
  };
  [[nodiscard]] Vectors ritz_vectors(Index count) const;

 private:
  void analyse();
  void manage_probes();
  void keep_certificate();
  void restart();
  [[nodiscard]] bool is_complete() const { return space_.size() >= gram_.size() - (centered_ ? 1 : 0); }
  [[nodiscard]] double estimate_outside() const;
  [[nodiscard]] double bound_outside();
  [[nodiscard]] ProductErrors errors_of(const Matrix& Z);
  [[nodiscard]] const BasisSpectrum& spectrum_with_residual() const;

  const GramOperator& gram_;
  Index s_;
  Options options_;
  bool centered_;
  KrylovSpace space_;
  bool has_restarted_ = false;
  ProductErrorBound product_errors_;
  Matrix next_{};                                        // block of the next product
  Index last_block_start_ = 0, last_block_columns_ = 0;  // columns of the last block
  SmallEigen ritz_{};
  mutable BasisSpectrum spectrum_{};  // its residual is computed on demand
  double residual_norm_ = 0;
  Vector residual_lengths_{};
  bool certifying_ = false;
  std::unique_ptr<EigenvalueProbes> probes_{};
  Index frozen_ = 0;      // columns of the basis the probes are independent of
  Index probe_sets_ = 0;  // sets of probes so far
  double certified_sum_ = std::numeric_limits<double>::infinity();  // upper bound of Lambda_s by earlier probes
};

}  // namespace dualkpca
