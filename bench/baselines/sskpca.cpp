#include <cmath>

#include "baselines/common.hpp"
#include "baselines/comparison.hpp"
#include "baselines/deflated_gram.hpp"
#include "baselines/elastic_net.hpp"
#include "baselines/lambda_search.hpp"
#include "dualkpca/objective/dual_objective.hpp"

namespace dualkpca::baselines {

SparseKpcaResult sskpca(const GramOperator& gram, Index s, const SparseKpcaParams& params) {
  require_components(gram, s);
  validate(params);
  const TopDirections start = top_directions(gram, s);
  const RankRule rule = rank_rule(gram);
  const double largest_lambda = 2 * product(gram, start.A).cwiseAbs().maxCoeff();
  return with_sparsity(gram, params, largest_lambda, [&](double lambda1) {
    SparseKpcaParams at = params;
    at.lambda1 = lambda1;
    DeflatedGram deflated(gram, s);
    SparseKpcaResult result;
    result.B = Matrix::Zero(gram.size(), s);
    result.converged = true;
    for (Index j = 0; j < s; ++j) {
      ElasticNetRun run = elastic_net(deflated, start.A.col(j), start.largest, at);
      result.B.col(j) = run.B;
      result.iterations += run.iterations;
      result.converged = result.converged && run.converged;
      result.objective.push_back(std::move(run.objective));
      const double square = run.B.cwiseProduct(run.GB).sum(), length = run.B.squaredNorm();
      if (length > 0 && !rule.is_zero(square / length, start.largest)) deflated.deflate(run.GB / std::sqrt(square));
    }
    result.scores = product(gram, result.B);
    return result;
  });
}

}  // namespace dualkpca::baselines
