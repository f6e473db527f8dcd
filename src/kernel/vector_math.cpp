#include "kernel/vector_math.hpp"

// Highway compiles this file once per instruction set: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/vector_math.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

template <class D, class V>
HWY_INLINE V flush(D d, V v) {
  return hn::IfThenElseZero(hn::Ge(hn::Abs(v), hn::Set(d, std::numeric_limits<hn::TFromD<D>>::min())), v);
}

// row[j] = f(row[j]), a vector at a time and one lane at a time for the rest: the scalar tail runs the same code, so a
// value does not depend on its place in the tile.
template <class T, class F>
HWY_INLINE void map_row(T* HWY_RESTRICT row, Index n, F f) {
  const Tag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + lanes <= n; j += lanes) hn::StoreU(flush(d, f(d, hn::LoadU(d, row + j), j)), d, row + j);
  for (; j < n; ++j) hn::StoreU(flush(one, f(one, hn::LoadU(one, row + j), j)), one, row + j);
}

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

template <class T>
void from_differences(const T* HWY_RESTRICT x, const T* HWY_RESTRICT Bt, Index stride, Index dims, T* HWY_RESTRICT row,
                      Index n) {
  const Tag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + 4 * lanes <= n; j += 4 * lanes) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    for (Index k = 0; k < dims; ++k) {
      const auto xk = hn::Set(d, x[k]);
      const T* b = Bt + k * stride + j;
      const auto e0 = hn::Sub(xk, hn::LoadU(d, b)), e1 = hn::Sub(xk, hn::LoadU(d, b + lanes));
      const auto e2 = hn::Sub(xk, hn::LoadU(d, b + 2 * lanes)), e3 = hn::Sub(xk, hn::LoadU(d, b + 3 * lanes));
      s0 = hn::MulAdd(e0, e0, s0);
      s1 = hn::MulAdd(e1, e1, s1);
      s2 = hn::MulAdd(e2, e2, s2);
      s3 = hn::MulAdd(e3, e3, s3);
    }
    hn::StoreU(s0, d, row + j);
    hn::StoreU(s1, d, row + j + lanes);
    hn::StoreU(s2, d, row + j + 2 * lanes);
    hn::StoreU(s3, d, row + j + 3 * lanes);
  }
  for (; j < n; ++j) {
    auto s = hn::Zero(one);
    for (Index k = 0; k < dims; ++k) {
      const auto e = hn::Sub(hn::Set(one, x[k]), hn::LoadU(one, Bt + k * stride + j));
      s = hn::MulAdd(e, e, s);
    }
    hn::StoreU(s, one, row + j);
  }
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

template <class T>
void exp_row(T* row, Index n, T factor) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR { return hn::Exp(d, hn::Mul(hn::Set(d, factor), v)); });
}

template <class T>
void exp_root_row(T* row, Index n, T factor) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR { return hn::Exp(d, hn::Mul(hn::Set(d, factor), hn::Sqrt(v))); });
}

template <class T>
void power_row(T* row, Index n, T factor, T shift, int degree) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR {
    auto base = hn::MulAdd(hn::Set(d, factor), v, hn::Set(d, shift));
    auto result = hn::Set(d, T{1});
    for (int rest = degree; rest > 0; rest >>= 1) {
      if (rest & 1) result = hn::Mul(result, base);
      base = hn::Mul(base, base);
    }
    return result;
  });
}

// HWY_EXPORT takes no overloads: one name per width.
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
float distance_f(const float* x, const float* y, Index d) { return distance(x, y, d); }
double distance_d(const double* x, const double* y, Index d) { return distance(x, y, d); }
void exp_f(float* row, Index n, float factor) { exp_row(row, n, factor); }
void exp_d(double* row, Index n, double factor) { exp_row(row, n, factor); }
void exp_root_f(float* row, Index n, float factor) { exp_root_row(row, n, factor); }
void exp_root_d(double* row, Index n, double factor) { exp_root_row(row, n, factor); }
void power_f(float* row, Index n, float factor, float shift, int degree) { power_row(row, n, factor, shift, degree); }
void power_d(double* row, Index n, double factor, double shift, int degree) {
  power_row(row, n, factor, shift, degree);
}

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {

HWY_EXPORT(from_products_f);
HWY_EXPORT(from_products_d);
HWY_EXPORT(from_differences_f);
HWY_EXPORT(from_differences_d);
HWY_EXPORT(distance_f);
HWY_EXPORT(distance_d);
HWY_EXPORT(exp_f);
HWY_EXPORT(exp_d);
HWY_EXPORT(exp_root_f);
HWY_EXPORT(exp_root_d);
HWY_EXPORT(power_f);
HWY_EXPORT(power_d);

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
float squared_distance(const float* x, const float* y, Index d) { return HWY_DYNAMIC_DISPATCH(distance_f)(x, y, d); }
double squared_distance(const double* x, const double* y, Index d) { return HWY_DYNAMIC_DISPATCH(distance_d)(x, y, d); }
void exp_of(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(exp_f)(row, n, factor); }
void exp_of(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(exp_d)(row, n, factor); }
void exp_of_root(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(exp_root_f)(row, n, factor); }
void exp_of_root(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(exp_root_d)(row, n, factor); }
void power_of(float* row, Index n, float factor, float shift, int degree) {
  HWY_DYNAMIC_DISPATCH(power_f)(row, n, factor, shift, degree);
}
void power_of(double* row, Index n, double factor, double shift, int degree) {
  HWY_DYNAMIC_DISPATCH(power_d)(row, n, factor, shift, degree);
}

}  // namespace dualkpca::vector_math
#endif
