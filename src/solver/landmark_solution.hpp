#pragma once

#include "dualkpca/solver/solver.hpp"
#include "solver/landmark_factor.hpp"

namespace dualkpca {

/// Components in the span of landmarks, and how good they are.
class LandmarkSolution {
 public:
  LandmarkSolution(const GramOperator& gram, Index s, const SolverParams& params, const GramFacts& facts);

  struct Plan {
    Index least = 0;                    ///< landmarks that are made in any case
    Index most = 0;                     ///< and at most
    bool stop_if_out_of_reach = false;  ///< when the decay of the trace says that `most` will not do
    bool prefer_certificate = false;    ///< an estimate ends it only if a certificate is out of reach
  };
  /// Adds landmarks until tol is met. The observer may stop it, and the time limit.
  void run(const Plan& plan, const Observer& observe, SolveResult& result);
  [[nodiscard]] bool is_met() const {
    return eta_ <= params_.tol && (kind_ == EtaKind::certified || !needs_certificate_);
  }
  [[nodiscard]] double eta() const { return eta_; }
  [[nodiscard]] EtaKind kind() const { return kind_; }
  [[nodiscard]] const LandmarkFactor& factor() const { return factor_; }
  /// Theta_s is above everything the landmarks may have missed.
  [[nodiscard]] bool misses_no_component() const;
  /// Leading eigenvectors of the approximation, n x count, not normalised.
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
  LandmarkFactor factor_;
  LandmarkFactor::Spectrum spectrum_{};
  Index spectrum_size_ = -1;  // landmarks at which spectrum_ was computed
  double eta_ = 1;
  EtaKind kind_ = EtaKind::estimated;
  double earlier_trace_ = 0;  // residual trace when there were earlier_size_ landmarks
  Index earlier_size_ = 0;
};

}  // namespace dualkpca
