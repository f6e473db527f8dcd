#include "baselines/common.hpp"
#include "baselines/comparison.hpp"
#include "baselines/elastic_net.hpp"
#include "baselines/lambda_search.hpp"

namespace dualkpca::baselines {

SparseKpcaResult skpca(const GramOperator& gram, Index s, const SparseKpcaParams& params) {
  require_components(gram, s);
  validate(params);
  const TopDirections start = top_directions(gram, s);
  const double largest_lambda = 2 * product(gram, start.A).cwiseAbs().maxCoeff();
  return with_sparsity(gram, params, largest_lambda, [&](double lambda1) {
    SparseKpcaParams at = params;
    at.lambda1 = lambda1;
    ElasticNetRun run = elastic_net(gram, start.A, start.largest, at);
    SparseKpcaResult result;
    result.B = std::move(run.B);
    result.scores = std::move(run.GB);
    result.objective = {std::move(run.objective)};
    result.iterations = run.iterations;
    result.converged = run.converged;
    return result;
  });
}

}  // namespace dualkpca::baselines
