#include "support/exact.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace dualkpca::test {
namespace {

using Real = long double;
constexpr Real unit = std::numeric_limits<Real>::epsilon();
constexpr Index largest_sharp = 400;  // rows from which on a decomposition in long double takes too long

// Returns the sum over k >= 2 of c_k a^k / k! (-1)^k, with c_k = 1 - k for matern32 and 1 - k + k(k-1)/3 for matern52.
Real matern_less_one(Real a, bool second) {
  const Real polynomial = 1 + a + (second ? a * a / 3 : 0);
  if (a > Real(0.5)) return polynomial * std::exp(-a) - 1;
  Real sum = 0, power = a;
  for (int k = 2; k < 30; ++k) {
    power *= -a / k;  // -(-a)^k / k!
    sum -= power * (1 - k + (second ? Real(k) * (k - 1) / 3 : 0));
  }
  return sum;
}

// Returns k(x, y), less 1 if the kernel is one of the distance.
Real reduced_kernel(const KernelCase& kernel, const Real* x, const Real* y, Index d) {
  Real product = 0, square = 0, absolute = 0, xx = 0, yy = 0;
  for (Index k = 0; k < d; ++k) {
    const Real difference = x[k] - y[k];
    absolute += std::abs(difference);
    square += difference * difference;
    product += x[k] * y[k];
    xx += x[k] * x[k];
    yy += y[k] * y[k];
  }
  const Real g = kernel.gamma;
  switch (kernel.name) {
    case KernelName::rbf: return std::expm1(-g * square);
    case KernelName::laplace: return std::expm1(-g * std::sqrt(square));
    case KernelName::laplacian: return std::expm1(-g * absolute);
    case KernelName::matern32: return matern_less_one(std::sqrt(3 * square) * g, false);
    case KernelName::matern52: return matern_less_one(std::sqrt(5 * square) * g, true);
    case KernelName::poly: return std::pow(g * product + Real(kernel.coef0), kernel.degree);
    case KernelName::sigmoid: return std::tanh(g * product + Real(kernel.coef0));
    case KernelName::cosine: return xx > 0 && yy > 0 ? product / std::sqrt(xx) / std::sqrt(yy) : 0;
    default: return product;
  }
}

void center(LongMatrix& K) {
  const LongVector means = K.rowwise().mean();
  const Real mean = means.mean();
  for (Index i = 0; i < K.rows(); ++i)
    for (Index j = 0; j < K.cols(); ++j) K(i, j) = (K(i, j) - means[i]) - (means[j] - mean);
}

// Returns the groups of rows between which all entries are negligible: leaving them out changes no eigenvalue by more
// than n times the rounding of long double.
std::vector<std::vector<Index>> independent_groups(const LongMatrix& G, Real norm) {
  const Index n = G.rows();
  const Real negligible = unit * norm / static_cast<Real>(n);
  std::vector<std::vector<Index>> groups;
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  for (Index first = 0; first < n; ++first) {
    if (seen[static_cast<std::size_t>(first)]) continue;
    std::vector<Index> group{first};
    seen[static_cast<std::size_t>(first)] = true;
    for (std::size_t at = 0; at < group.size(); ++at)
      for (Index j = 0; j < n; ++j)
        if (!seen[static_cast<std::size_t>(j)] && std::abs(G(group[at], j)) > negligible) {
          seen[static_cast<std::size_t>(j)] = true;
          group.push_back(j);
        }
    groups.push_back(std::move(group));
  }
  return groups;
}

template <class T>
void append_eigenvalues(const LongMatrix& G, std::vector<Real>& all) {
  using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const Square A = G.cast<T>();
  const Eigen::SelfAdjointEigenSolver<Square> eigen(A, Eigen::EigenvaluesOnly);
  for (const T value : eigen.eigenvalues()) all.push_back(static_cast<Real>(value));
}

// Rotates the columns of H (one-sided Jacobi) until they are orthogonal.
void make_columns_orthogonal(LongMatrix& H) {
  const Index s = H.cols();
  for (int sweep = 0; sweep < 30; ++sweep) {
    Real worst = 0;
    for (Index p = 0; p < s; ++p)
      for (Index q = p + 1; q < s; ++q) {
        const Real a = H.col(p).squaredNorm(), b = H.col(q).squaredNorm(), c = H.col(p).dot(H.col(q));
        if (std::abs(c) <= unit * std::sqrt(a) * std::sqrt(b)) continue;
        worst = std::max(worst, std::abs(c) / std::sqrt(a) / std::sqrt(b));
        const Real angle = std::atan2(2 * c, a - b) / 2;
        const LongVector left = H.col(p), right = H.col(q);
        H.col(p) = std::cos(angle) * left + std::sin(angle) * right;
        H.col(q) = std::cos(angle) * right - std::sin(angle) * left;
      }
    if (worst <= 4 * unit) break;
  }
}

// Returns 2|d(H)| = 2 Tr (H'GH)^{1/2} - |H|^2. The columns are made orthogonal and scaled first, which keeps the digits
// of small roots.
Real value_of(const LongMatrix& G, const Matrix& given) {
  LongMatrix H = given.cast<Real>();
  make_columns_orthogonal(H);
  const LongMatrix S = H.transpose() * (G * H);
  // Tr (H'GH)^{1/2} is the sum of the singular values of L', where S = LL'.
  LongMatrix L = LongMatrix::Zero(S.rows(), S.cols());
  std::vector<Index> order(static_cast<std::size_t>(S.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return S(a, a) > S(b, b); });
  const LongMatrix P = S(order, order);
  for (Index j = 0; j < P.rows(); ++j) {
    const Real pivot = P(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > 0)) continue;
    L(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < P.rows(); ++i) L(i, j) = (P(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
  }
  LongMatrix factor = L.transpose();
  make_columns_orthogonal(factor);
  return 2 * factor.colwise().norm().sum() - H.squaredNorm();
}

}  // namespace

LongGram exact_gram(const KernelCase& kernel, const Matrix& given, bool centered) {
  LongMatrix X = given.cast<Real>();
  if (centered && kernel.name == KernelName::linear) X.rowwise() -= X.colwise().mean().eval();
  const Index n = X.rows(), d = X.cols();
  LongMatrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) K(i, j) = K(j, i) = reduced_kernel(kernel, &X(i, 0), &X(j, 0), d);
  // The roundings of the terms of a product or distance, of the function, and of two means.
  const Real rounding = static_cast<Real>(d + 10 + n) * unit * K.cwiseAbs().maxCoeff();
  if (centered)
    center(K);
  else if (is_shift_invariant(kernel.name))
    K.array() += 1;
  return {std::move(K), rounding};
}

LongGram exact_gram(const Matrix& K, bool centered) {
  LongGram gram{.G = K.cast<Real>()};
  if (!centered) return gram;
  gram.rounding = static_cast<Real>(K.rows() + 4) * unit * gram.G.cwiseAbs().maxCoeff();
  center(gram.G);
  return gram;
}

LongGram exact_centered_at(const Matrix& K, const Vector& c) {
  LongMatrix G = K.cast<Real>();
  const Index n = G.rows();
  const LongVector weights = c.cast<Real>(), values = G * weights;
  const Real norm = weights.dot(values), rounding = static_cast<Real>(n + 4) * unit * G.cwiseAbs().maxCoeff();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) G(i, j) += norm - values[i] - values[j];
  return {std::move(G), rounding};
}

ExactGram::ExactGram(LongGram gram, Index s)
    : G_(std::move(gram.G)), s_(s), entries_(static_cast<Real>(G_.rows()) * gram.rounding), norm_(G_.norm()) {
  compute(false);
}

void ExactGram::compute(bool sharp) {
  std::vector<Real> all;
  // A scaled matrix has a norm of 1, so that its squares stay in the range of float64.
  const Real scale = norm_ > 0 ? norm_ : 1;
  for (const std::vector<Index>& group : independent_groups(G_, norm_)) {
    const LongMatrix part = G_(group, group) / scale;
    if (group.size() == 1)
      all.push_back(part(0, 0));
    else if (sharp)
      append_eigenvalues<Real>(part, all);
    else
      append_eigenvalues<double>(part, all);
  }
  std::sort(all.begin(), all.end(), std::greater<>());
  values_ = scale * Eigen::Map<const LongVector>(all.data(), std::min(s_, static_cast<Index>(all.size())));
  const Real epsilon = sharp ? unit : Real(std::numeric_limits<double>::epsilon());
  const Real n = static_cast<Real>(G_.rows());
  rounding_ = std::sqrt(static_cast<Real>(s_)) * (n * epsilon * norm_ + entries_);
  is_sharp_ = sharp;
}

void ExactGram::sharpen() {
  if (!is_sharp_ && G_.rows() <= largest_sharp) compute(true);
}

Range ExactGram::error(const Matrix& H) const {
  const Real value = value_of(G_, H), n = static_cast<Real>(G_.rows());
  const Real rounding = std::sqrt(static_cast<Real>(s_)) * (n * unit * norm_ + entries_);
  const Range all = sum();
  return {1 - (value + rounding) / all.low, 1 - (value - rounding) / all.high};
}

bool ExactGram::error_exceeds(const Matrix& H, double eta) {
  const Range rough = error(H);
  if (rough.high <= eta) return false;
  if (rough.low > eta) return true;
  sharpen();
  return error(H).low > eta;
}

}  // namespace dualkpca::test
