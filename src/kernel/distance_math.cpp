#include "kernel/distance_math.hpp"

#include "kernel/vector_limit.hpp"

// Highway compiles this file once per instruction set: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/distance_math.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "kernel/map_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
bool from_products(T* row, Index n, T x_norm, const T* y_norm, T threshold) {
  bool cancelled = false;
  map_row(row, n, [&](auto d, auto product, Index j) HWY_ATTR {
    const auto sum = hn::Add(hn::Set(d, x_norm), hn::LoadU(d, y_norm + j));
    const auto distance = hn::Max(hn::Zero(d), hn::NegMulAdd(hn::Set(d, T{2}), product, sum));
    cancelled |= !hn::AllFalse(d, hn::Lt(distance, hn::Mul(hn::Set(d, threshold), sum)));
    return distance;
  });
  return cancelled;
}

// Computes row[j] = the sum over k of accumulate(x[k] - Bt[k * stride + j], ...), added to row[j] if `add`.
template <bool add, class T, class F>
HWY_INLINE void sum_differences(const T* HWY_RESTRICT x, const T* HWY_RESTRICT Bt, Index stride, Index dims,
                                T* HWY_RESTRICT row, Index n, F accumulate) {
  const Tag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const auto start = [&](auto tag, const T* at) HWY_ATTR {
    if constexpr (add)
      return hn::LoadU(tag, at);
    else
      return hn::Zero(tag);
  };
  Index j = 0;
  for (; j + 4 * lanes <= n; j += 4 * lanes) {
    auto s0 = start(d, row + j), s1 = start(d, row + j + lanes);
    auto s2 = start(d, row + j + 2 * lanes), s3 = start(d, row + j + 3 * lanes);
    for (Index k = 0; k < dims; ++k) {
      const auto xk = hn::Set(d, x[k]);
      const T* b = Bt + k * stride + j;
      s0 = accumulate(hn::Sub(xk, hn::LoadU(d, b)), s0);
      s1 = accumulate(hn::Sub(xk, hn::LoadU(d, b + lanes)), s1);
      s2 = accumulate(hn::Sub(xk, hn::LoadU(d, b + 2 * lanes)), s2);
      s3 = accumulate(hn::Sub(xk, hn::LoadU(d, b + 3 * lanes)), s3);
    }
    hn::StoreU(s0, d, row + j);
    hn::StoreU(s1, d, row + j + lanes);
    hn::StoreU(s2, d, row + j + 2 * lanes);
    hn::StoreU(s3, d, row + j + 3 * lanes);
  }
  for (; j < n; ++j) {
    auto s = start(one, row + j);
    for (Index k = 0; k < dims; ++k)
      s = accumulate(hn::Sub(hn::Set(one, x[k]), hn::LoadU(one, Bt + k * stride + j)), s);
    hn::StoreU(s, one, row + j);
  }
}

template <class T>
void from_differences(const T* x, const T* Bt, Index stride, Index dims, T* row, Index n) {
  sum_differences<false>(x, Bt, stride, dims, row, n, [](auto e, auto s) HWY_ATTR { return hn::MulAdd(e, e, s); });
}

template <class T>
void absolute_differences(const T* x, const T* Bt, Index stride, Index dims, T* row, Index n) {
  sum_differences<true>(x, Bt, stride, dims, row, n, [](auto e, auto s) HWY_ATTR { return hn::Add(hn::Abs(e), s); });
}

inline double norm(const double* HWY_RESTRICT x, Index dims) {
  const Tag<double> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0;
  Index k = 0;
  for (; k + 2 * lanes <= dims; k += 2 * lanes) {
    const auto a = hn::LoadU(d, x + k), b = hn::LoadU(d, x + k + lanes);
    s0 = hn::MulAdd(a, a, s0);
    s1 = hn::MulAdd(b, b, s1);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  for (; k < dims; ++k) total += x[k] * x[k];
  return total;
}

inline double norm(const float* HWY_RESTRICT x, Index dims) {
  const Tag<double> d;
  const hn::Rebind<float, Tag<double>> narrow;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0;
  Index k = 0;
  for (; k + 2 * lanes <= dims; k += 2 * lanes) {
    const auto a = hn::PromoteTo(d, hn::LoadU(narrow, x + k)), b = hn::PromoteTo(d, hn::LoadU(narrow, x + k + lanes));
    s0 = hn::MulAdd(a, a, s0);
    s1 = hn::MulAdd(b, b, s1);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  for (; k < dims; ++k) total += static_cast<double>(x[k]) * static_cast<double>(x[k]);
  return total;
}

template <class T>
T distance(const T* HWY_RESTRICT x, const T* HWY_RESTRICT y, Index dims) {
  const Tag<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  auto sum = hn::Zero(d);
  Index k = 0;
  for (; k + lanes <= dims; k += lanes) {
    const auto e = hn::Sub(hn::LoadU(d, x + k), hn::LoadU(d, y + k));
    sum = hn::MulAdd(e, e, sum);
  }
  T total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; k < dims; ++k) total += (x[k] - y[k]) * (x[k] - y[k]);
  return total;
}

// HWY_EXPORT takes no overloads, so each width has a name of its own.
bool from_products_f(float* row, Index n, float x, const float* y, float t) { return from_products(row, n, x, y, t); }
bool from_products_d(double* row, Index n, double x, const double* y, double t) {
  return from_products(row, n, x, y, t);
}
void from_differences_f(const float* x, const float* B, Index ld, Index d, float* r, Index n) {
  from_differences(x, B, ld, d, r, n);
}
void from_differences_d(const double* x, const double* B, Index ld, Index d, double* r, Index n) {
  from_differences(x, B, ld, d, r, n);
}
void absolute_f(const float* x, const float* B, Index ld, Index d, float* r, Index n) {
  absolute_differences(x, B, ld, d, r, n);
}
void absolute_d(const double* x, const double* B, Index ld, Index d, double* r, Index n) {
  absolute_differences(x, B, ld, d, r, n);
}
double norm_f(const float* x, Index d) { return norm(x, d); }
double norm_d(const double* x, Index d) { return norm(x, d); }
float distance_f(const float* x, const float* y, Index d) { return distance(x, y, d); }
double distance_d(const double* x, const double* y, Index d) { return distance(x, y, d); }

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {

HWY_EXPORT(from_products_f);
HWY_EXPORT(from_products_d);
HWY_EXPORT(from_differences_f);
HWY_EXPORT(from_differences_d);
HWY_EXPORT(absolute_f);
HWY_EXPORT(absolute_d);
HWY_EXPORT(norm_f);
HWY_EXPORT(norm_d);
HWY_EXPORT(distance_f);
HWY_EXPORT(distance_d);

bool squared_distances_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold) {
  return HWY_DYNAMIC_DISPATCH(from_products_f)(row, n, x_norm, y_norm, threshold);
}
bool squared_distances_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold) {
  return HWY_DYNAMIC_DISPATCH(from_products_d)(row, n, x_norm, y_norm, threshold);
}
void squared_distances_from_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n) {
  HWY_DYNAMIC_DISPATCH(from_differences_f)(x, Bt, stride, d, row, n);
}
void squared_distances_from_differences(const double* x, const double* Bt, Index stride, Index d, double* row,
                                        Index n) {
  HWY_DYNAMIC_DISPATCH(from_differences_d)(x, Bt, stride, d, row, n);
}
void add_absolute_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n) {
  HWY_DYNAMIC_DISPATCH(absolute_f)(x, Bt, stride, d, row, n);
}
void add_absolute_differences(const double* x, const double* Bt, Index stride, Index d, double* row, Index n) {
  HWY_DYNAMIC_DISPATCH(absolute_d)(x, Bt, stride, d, row, n);
}
double squared_norm(const float* x, Index d) { return HWY_DYNAMIC_DISPATCH(norm_f)(x, d); }
double squared_norm(const double* x, Index d) { return HWY_DYNAMIC_DISPATCH(norm_d)(x, d); }
float squared_distance(const float* x, const float* y, Index d) { return HWY_DYNAMIC_DISPATCH(distance_f)(x, y, d); }
double squared_distance(const double* x, const double* y, Index d) { return HWY_DYNAMIC_DISPATCH(distance_d)(x, y, d); }

}  // namespace dualkpca::vector_math
#endif
