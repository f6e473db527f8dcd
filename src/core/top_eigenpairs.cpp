#include "core/top_eigenpairs.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "core/lapack_workspace.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca {
namespace {

using Columns = Eigen::MatrixXd;  // as LAPACK stores them

// A = Q T Q' with T tridiagonal: its diagonal d and what is beside it e. Q is in A and tau, as dormtr wants it.
struct Tridiagonal {
  Vector d, e, tau;
};

// LAPACK's dsytrd, which is this loop, with a look at may_continue in between. Of two rows and more.
bool reduce_to_tridiagonal(Columns& A, Tridiagonal& T, const std::function<bool()>& may_continue) {
  constexpr int panel = 32, smallest = 64;  // LAPACK's choice of a panel; the rest without panels
  const char lower = 'L', none = 'N';
  const double minus = -1, one = 1;
  const int n = static_cast<int>(A.rows());
  T = {Vector(n), Vector(n - 1), Vector(n - 1)};
  Columns W(n, panel);
  int i = 0;
  for (; n - i > smallest; i += panel) {
    if (!may_continue()) return false;
    const int rows = n - i, rest = rows - panel;
    dlatrd_(&lower, &rows, &panel, &A(i, i), &n, &T.e[i], &T.tau[i], W.data(), &n);
    dsyr2k_(&lower, &none, &rest, &panel, &minus, &A(i + panel, i), &n, &W(panel, 0), &n, &one,
            &A(i + panel, i + panel), &n);
    for (int j = i; j < i + panel; ++j) {
      A(j + 1, j) = T.e[j];
      T.d[j] = A(j, j);
    }
  }
  int info = 0;
  const int rest = n - i;
  dsytd2_(&lower, &rest, &A(i, i), &n, &T.d[i], &T.e[i], &T.tau[i], &info);
  return true;
}

// The s largest eigenpairs of T, ascending, by relatively robust representations; nothing if LAPACK does not find all.
std::optional<TopEigenpairs> top_by_robust_representations(const Tridiagonal& T, Index s) {
  const int n = static_cast<int>(T.d.size()), first = static_cast<int>(n - s + 1), columns = static_cast<int>(s);
  const double unused = 0;
  Vector d = T.d, e(n);
  e.head(n - 1) = T.e.head(n - 1);
  int found = 0, info = 0, accurate = 1;
  TopEigenpairs top{Vector(n), Columns(n, s)};
  std::vector<int> support(static_cast<std::size_t>(2 * n));
  call_with_workspace([&](double* work, const int* lwork, int* iwork, const int* liwork) {
    dstemr_("V", "I", &n, d.data(), e.data(), &unused, &unused, &first, &n, &found, top.values.data(),
            top.vectors.data(), &n, &columns, support.data(), &accurate, work, lwork, iwork, liwork, &info);
  });
  if (info != 0 || found != columns) return std::nullopt;
  top.values.conservativeResize(s);
  return top;
}

// The same from all n eigenpairs, by divide and conquer: more work for few of them, and without weaknesses.
TopEigenpairs top_by_divide_and_conquer(const Tridiagonal& T, Index s) {
  const int n = static_cast<int>(T.d.size());
  Vector d = T.d, e = T.e;
  Columns Z(n, n);
  int info = 0;
  call_with_workspace([&](double* work, const int* lwork, int* iwork, const int* liwork) {
    dstedc_("I", &n, d.data(), e.data(), Z.data(), &n, work, lwork, iwork, liwork, &info);
  });
  if (info != 0)
    throw DataError("LAPACK dstedc did not converge: the matrix has values that are too large or not finite");
  if (s == n) return {d, std::move(Z)};
  return {d.tail(s), Z.rightCols(s)};
}

// Z = Q Z, a few columns at a time.
bool transform_back(const Columns& A, const Tridiagonal& T, Columns& Z, const std::function<bool()>& may_continue) {
  constexpr Index part = 256;
  const int n = static_cast<int>(A.rows());
  for (Index first = 0; first < Z.cols(); first += part) {
    if (!may_continue()) return false;
    const int columns = static_cast<int>(std::min(part, Z.cols() - first)), query = -1;
    int info = 0;
    double work_size = 0;
    const auto call = [&](double* work, const int* lwork) {
      dormtr_("L", "L", "N", &n, &columns, A.data(), &n, T.tau.data(), &Z(0, first), &n, work, lwork, &info);
    };
    call(&work_size, &query);
    std::vector<double> work(static_cast<std::size_t>(work_size));
    const int lwork = static_cast<int>(work.size());
    call(work.data(), &lwork);
  }
  return true;
}

}  // namespace

TopEigenpairs top_eigenpairs(Matrix A, Index s, const std::function<bool()>& may_continue) {
  const Index n = A.rows();
  std::optional<BlasThreadGuard> one_blas_thread;  // more of them cost more than they save of a small matrix
  if (n < 1000) one_blas_thread.emplace();
  // Far from overflow and underflow, as LAPACK's drivers do.
  const double scale = A.cwiseAbs().maxCoeff();
  if (!(scale > 0)) return {Vector::Zero(s), Columns::Identity(n, s)};
  if (n == 1) return {Vector::Constant(1, A(0, 0)), Columns::Ones(1, 1)};
  A /= scale;
  Columns work = std::move(A).transpose();
  Tridiagonal T;
  if (!reduce_to_tridiagonal(work, T, may_continue)) return {};
  constexpr Index few = 4;  // of more than a quarter of all, divide and conquer is the faster
  std::optional<TopEigenpairs> top;
  if (few * s <= n) top = top_by_robust_representations(T, s);
  if (!top) top = top_by_divide_and_conquer(T, s);
  if (!transform_back(work, T, top->vectors, may_continue)) return {};
  return {scale * top->values.reverse(), top->vectors.rowwise().reverse()};
}

}  // namespace dualkpca
