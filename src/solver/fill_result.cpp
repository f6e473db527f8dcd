#include "solver/fill_result.hpp"

#include <fmt/format.h>

namespace dualkpca {

double estimate_eta(const Matrix& H, const Matrix& Y) {
  const double norm = H.squaredNorm();
  return norm > 0 ? 100 * (H - Y).squaredNorm() / norm : 0;
}

RitzPoint final_point(const GramOperator& gram, const Matrix& H, const Matrix& GH, const RankRule& rule) {
  constexpr double graded = 1e-4;
  RitzPoint best = ritz_point(H, GH, rule);
  const Index rank = best.theta.size();
  if (rank == 0 || best.theta[rank - 1] > graded * best.theta[0]) return best;
  Matrix product(best.H.rows(), rank);
  gram.apply(best.H, product);
  return ritz_point(best.H, product, rule);
}

double share_left_out(const Vector& values, Index rank, const RankRule& rule) {
  const double kept = values.head(rank).sum();
  const double left_out = (values.tail(values.size() - rank).array() - rule.absolute).cwiseMax(0).sum();
  return left_out > 0 ? left_out / (kept + left_out) : 0;
}

void fill_result(SolveResult& result, const Matrix& H, const Matrix& GH, Index s, const RankRule& rule) {
  result.H = Matrix::Zero(H.rows(), s);
  result.GH = Matrix::Zero(H.rows(), s);
  result.H.leftCols(H.cols()) = H;
  result.GH.leftCols(H.cols()) = GH;
  if (H.cols() == 0) return;  // G is zero, and so is the solution
  const DualEvaluation at = evaluate_dual(H, GH, rule);
  result.eta = estimate_eta(H, at.Y);
  result.dual_objective = at.value;
  result.primal_objective = -0.5 * at.Y.squaredNorm();
}

std::string not_certified_message(const SolveResult& result, Precision precision) {
  if (result.eta_kind == EtaKind::estimated && result.stop_reason == StopReason::rounding)
    return fmt::format("rounding in {} allows no certificate, so eta is an estimate{}", to_string(precision),
                       precision == Precision::float32 ? "; use precision float64" : "");
  if (result.eta_kind == EtaKind::estimated)
    return "the run ended before there was a certificate, so eta is an estimate";
  return fmt::format("the best certified eta is {:.2g}{}", result.eta,
                     precision == Precision::float32 ? "; precision float64 may give a smaller one" : "");
}

}  // namespace dualkpca
