#include "core/top_eigenpairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "core/lapack_workspace.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca {
namespace {

using Columns = Eigen::MatrixXd;  // column-major, as in LAPACK

// A = Q T Q' with T tridiagonal: its diagonal is d, its subdiagonal e. Q is stored in A and tau, as dormtr expects.
struct Tridiagonal {
  Vector d, e, tau;
};

// Runs the loop of LAPACK's dsytrd, with a call of may_continue between panels. A must have at least two rows.
bool reduce_to_tridiagonal(Columns& A, Tridiagonal& T, const std::function<bool()>& may_continue) {
  constexpr int panel = 32, smallest = 64;  // LAPACK's panel width; the last rows are reduced without panels
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

// Returns the number of eigenvalues of T that are larger than x: the number of positive pivots of T - xI (Sturm).
Index count_above(const Tridiagonal& T, double x) {
  const double smallest = std::numeric_limits<double>::min();
  Index count = 0;
  double pivot = 1;
  for (Index i = 0; i < T.d.size(); ++i) {
    const double e = i > 0 ? T.e[i - 1] : 0;
    pivot = T.d[i] - x - e * (e / pivot);
    if (std::abs(pivot) < smallest) pivot = -smallest;
    count += pivot > 0 ? 1 : 0;
  }
  return count;
}

// Returns the s largest eigenpairs of T in ascending order, by relatively robust representations; empty if LAPACK
// misses some. It tells eigenvalues of different blocks of T apart only up to the root of the machine precision.
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
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() * std::max(T.d.cwiseAbs().maxCoeff(), T.e.cwiseAbs().maxCoeff());
  for (Index k = 0; k < s; ++k)
    if (count_above(T, top.values[k] + rounding) > s - 1 - k) return std::nullopt;
  return top;
}

// Returns the same from all n eigenpairs, by divide and conquer: slower if s is small, but it does not miss any.
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

// Computes Z = Q Z, a few columns at a time.
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
  std::optional<BlasThreadGuard> one_blas_thread;  // for a small matrix, more threads cost more than they save
  if (n < 1000) one_blas_thread.emplace();
  // Scales the matrix away from overflow and underflow, as LAPACK's drivers do.
  const double scale = A.cwiseAbs().maxCoeff();
  if (!(scale > 0)) return {Vector::Zero(s), Columns::Identity(n, s)};
  if (n == 1) return {Vector::Constant(1, A(0, 0)), Columns::Ones(1, 1)};
  A /= scale;
  Columns work = std::move(A).transpose();
  Tridiagonal T;
  if (!reduce_to_tridiagonal(work, T, may_continue)) return {};
  constexpr Index few = 4;  // for more than a quarter of all pairs, divide and conquer is faster
  std::optional<TopEigenpairs> top;
  if (few * s <= n) top = top_by_robust_representations(T, s);
  if (!top) top = top_by_divide_and_conquer(T, s);
  if (!transform_back(work, T, top->vectors, may_continue)) return {};
  return {scale * top->values.reverse(), top->vectors.rowwise().reverse()};
}

}  // namespace dualkpca
