#pragma once

#include "dualkpca/solver/solver.hpp"
#include "solver/landmark_factor.hpp"

namespace dualkpca {

/// Components in the span of landmarks, and their accuracy.
class LandmarkSolution {
 public:
  LandmarkSolution(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts);

  struct Plan {
    Index least = 0;                    ///< smallest number of landmarks
    Index most = 0;                     ///< largest number of landmarks
    bool stop_if_out_of_reach = false;  ///< stops if, by the decay of the trace, `most` will not reach tol
    bool prefer_certificate = false;    ///< an estimate ends the run only if a certificate is out of reach
  };
  /// Adds landmarks until tol is met, or the observer or the time limit stops it.
  void run(const Plan& plan, const Observer& observe, SolveResult& result);
  [[nodiscard]] bool is_met() const {
    return eta_ <= params_.tol && (kind_ == EtaKind::certified || !needs_certificate_);
  }
  /// Returns true if columns of K have shown that it is not positive semi-definite.
  [[nodiscard]] bool is_indefinite() const { return is_indefinite_; }
  [[nodiscard]] double eta() const { return eta_; }
  [[nodiscard]] EtaKind kind() const { return kind_; }
  [[nodiscard]] const LandmarkFactor& factor() const { return factor_; }
  /// Returns true if theta_s is larger than everything the landmarks may have missed.
  [[nodiscard]] bool misses_no_component() const;
  /// Returns leading eigenvectors of the approximation, n x count, not normalised.
  [[nodiscard]] Matrix vectors(Index count);
  /// Writes H, eta, the objectives and the landmarks to `result`.
  void fill_result(SolveResult& result);

 private:
  [[nodiscard]] bool is_out_of_reach(Index most, bool certificate) const;
  void update_eta(bool last);
  [[nodiscard]] double estimate() const;
  const LandmarkFactor::Spectrum& spectrum(Index count);

  const GramOperator& gram_;
  Index s_;
  const SolverParams& params_;
  bool positive_;  // G is known to be positive semi-definite
  bool needs_certificate_, centered_;
  bool is_indefinite_ = false;
  LandmarkFactor factor_;
  LandmarkFactor::Spectrum spectrum_{};
  Index spectrum_size_ = -1;  // landmarks at which spectrum_ was computed
  double eta_ = 1;
  EtaKind kind_ = EtaKind::estimated;
  double earlier_trace_ = 0;  // residual trace when there were earlier_size_ landmarks
  Index earlier_size_ = 0;
};

}  // namespace dualkpca
