#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "dualkpca/core/errors.hpp"
#include "solver/finish.hpp"

namespace dualkpca {
namespace {

struct TopEigenpairs {
  Vector values;                                                  // s, ascending as LAPACK gives them
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic> vectors;  // n x s, column-major
};

// The s largest eigenpairs of the symmetric matrix A, which is overwritten. Nothing if LAPACK does not find them all:
// for some matrices with huge clusters (such as I - 11'/n) dsyevr returns none and calls it a success.
std::optional<TopEigenpairs> top_eigenpairs(Matrix& A, Index s) {
  const int n = static_cast<int>(A.rows()), first = static_cast<int>(A.rows() - s + 1);
  const double unused = 0, abstol = 0;
  int found = 0, info = 0, iwork_size = 0, query = -1;
  double work_size = 0;
  TopEigenpairs top{Vector(n), Eigen::MatrixXd(n, s)};
  std::vector<int> support(static_cast<std::size_t>(2 * n));
  const auto call = [&](double* work, const int* lwork, int* iwork, const int* liwork) {
    dsyevr_("V", "I", "L", &n, A.data(), &n, &unused, &unused, &first, &n, &abstol, &found, top.values.data(),
            top.vectors.data(), &n, support.data(), work, lwork, iwork, liwork, &info);
  };
  call(&work_size, &query, &iwork_size, &query);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> iwork(static_cast<std::size_t>(iwork_size));
  const int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
  call(work.data(), &lwork, iwork.data(), &liwork);
  if (info != 0 || found != static_cast<int>(s)) return std::nullopt;
  top.values.conservativeResize(s);
  return top;
}

// The same from all n eigenpairs, by divide and conquer: slower, and without that weakness.
TopEigenpairs top_of_all_eigenpairs(Matrix& A, Index s) {
  const int n = static_cast<int>(A.rows());
  int info = 0, iwork_size = 0, query = -1;
  double work_size = 0;
  Vector values(n);
  const auto call = [&](double* work, const int* lwork, int* iwork, const int* liwork) {
    dsyevd_("V", "L", &n, A.data(), &n, values.data(), work, lwork, iwork, liwork, &info);
  };
  call(&work_size, &query, &iwork_size, &query);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> iwork(static_cast<std::size_t>(iwork_size));
  const int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
  call(work.data(), &lwork, iwork.data(), &liwork);
  if (info != 0) throw std::runtime_error(fmt::format("LAPACK dsyevd failed with info {}", info));
  return {values.tail(s), A.bottomRows(s).transpose()};  // LAPACK's columns are the rows of a row-major matrix
}

Matrix explicit_matrix(const GramOperator& gram) {
  std::vector<Index> all(static_cast<std::size_t>(gram.size()));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix G(gram.size(), gram.size());
  gram.columns(all, G);
  return G;
}

TopEigenpairs decompose(const GramOperator& gram, Index s) {
  Matrix G = explicit_matrix(gram);
  if (auto top = top_eigenpairs(G, s)) return *std::move(top);
  G = explicit_matrix(gram);
  return top_of_all_eigenpairs(G, s);
}

}  // namespace

SolveResult solve_dense(const GramOperator& gram, Index s, const SolverParams& params) {
  const Index n = gram.size();
  const TopEigenpairs top = decompose(gram, s);
  const RankRule rule = rank_rule(gram);
  const double largest = top.values[s - 1];
  require_positive(top.values[0], largest, rule);
  Index rank = 0;
  while (rank < s && !rule.is_zero(top.values[s - 1 - rank], largest)) ++rank;
  Matrix H(n, rank);
  for (Index j = 0; j < rank; ++j) H.col(j) = top.vectors.col(s - 1 - j) * std::sqrt(top.values[s - 1 - j]);
  Matrix GH(n, rank);
  if (rank > 0) gram.apply(H, GH);
  SolveResult result;
  finish(result, H, GH, s, rule);
  if (params.tol > 0 && !(result.eta <= params.tol)) {
    result.status = Status::stopped;
    result.message = rounding_message(result.eta, gram.precision());
  }
  return result;
}

}  // namespace dualkpca
