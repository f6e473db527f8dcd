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

// row[j] = the sum over k of accumulate(x[k] - Bt[k * stride + j], ...), added to row[j] if `add`.
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

template <class T>
Index panel_lanes() {
  return 4 * static_cast<Index>(hn::Lanes(Tag<T>()));
}

// One entry of a sparse row meets all rows of the panel. `accumulate(p, v, s)` adds what they make of each other.
template <class T, class F>
HWY_INLINE void meet_panel(const T* HWY_RESTRICT panel, const std::int32_t* HWY_RESTRICT slots,
                           const std::int32_t* HWY_RESTRICT columns, const T* HWY_RESTRICT values, Index entries,
                           T* HWY_RESTRICT out, F accumulate) {
  const Tag<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (Index e = 0; e < entries; ++e) {
    const T* p = panel + Index{slots[columns[e]]} * 4 * lanes;
    const auto v = hn::Set(d, values[e]);
    s0 = accumulate(hn::LoadU(d, p), v, s0);
    s1 = accumulate(hn::LoadU(d, p + lanes), v, s1);
    s2 = accumulate(hn::LoadU(d, p + 2 * lanes), v, s2);
    s3 = accumulate(hn::LoadU(d, p + 3 * lanes), v, s3);
  }
  hn::StoreU(s0, d, out);
  hn::StoreU(s1, d, out + lanes);
  hn::StoreU(s2, d, out + 2 * lanes);
  hn::StoreU(s3, d, out + 3 * lanes);
}

template <class T>
void products_with_panel(const T* panel, const std::int32_t* slots, const std::int32_t* columns, const T* values,
                         Index entries, T* out) {
  meet_panel(panel, slots, columns, values, entries, out,
             [](auto p, auto v, auto s) HWY_ATTR { return hn::MulAdd(p, v, s); });
}

template <class T>
void overlaps_with_panel(const T* panel, const std::int32_t* slots, const std::int32_t* columns, const T* values,
                         Index entries, T* out) {
  // Where the panel has a zero the result is exactly 0.
  meet_panel(panel, slots, columns, values, entries, out, [](auto p, auto v, auto s) HWY_ATTR {
    return hn::Add(hn::Sub(hn::Sub(hn::Abs(hn::Sub(p, v)), hn::Abs(v)), hn::Abs(p)), s);
  });
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

// exp(z) for z <= 0, 0 where it is below the smallest normal number. In float32 with the polynomial of Cephes, to about
// one unit in the last place, and by a third faster than Highway's, which has to do with results of every size.
template <class D, class V>
HWY_INLINE V exp_of_negative(D d, V z) {
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(double)) {
    return flush(d, hn::Exp(d, z));
  } else {
    const hn::RebindToSigned<D> whole;
    const auto power = hn::Round(hn::Mul(z, hn::Set(d, 1.44269504F)));
    // z - power ln 2, with ln 2 in two parts
    const auto r = hn::NegMulAdd(power, hn::Set(d, -2.12194440e-4F), hn::NegMulAdd(power, hn::Set(d, 0.693359375F), z));
    auto p = hn::MulAdd(hn::Set(d, 1.9875691500e-4F), r, hn::Set(d, 1.3981999507e-3F));
    p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3F));
    p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2F));
    p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1F));
    p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1F));
    p = hn::MulAdd(p, hn::Mul(r, r), hn::Add(r, hn::Set(d, 1.0F)));
    const auto exponent = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(whole, power), hn::Set(whole, 127)));
    return hn::IfThenElseZero(hn::Ge(z, hn::Set(d, -87.33F)), hn::Mul(p, hn::BitCast(d, exponent)));
  }
}

// From a squared distance v to a kernel value. Those of the last two are at least their exponential: flushed as it is.
template <class D, class V>
HWY_INLINE V exp_value(D d, V v, V factor) {
  return exp_of_negative(d, hn::Mul(factor, v));
}
template <class D, class V>
HWY_INLINE V exp_root_value(D d, V v, V factor) {
  return exp_of_negative(d, hn::Mul(factor, hn::Sqrt(v)));
}
template <class D, class V>
HWY_INLINE V matern32_value(D d, V v, V factor) {
  const auto a = hn::Mul(factor, hn::Sqrt(v));
  return hn::Mul(hn::Add(hn::Set(d, hn::TFromD<D>{1}), a), exp_of_negative(d, hn::Neg(a)));
}
template <class D, class V>
HWY_INLINE V matern52_value(D d, V v, V factor) {
  using T = hn::TFromD<D>;
  const auto a = hn::Mul(factor, hn::Sqrt(v));
  const auto one_plus_a = hn::Add(hn::Set(d, T{1}), a);
  return hn::Mul(hn::MulAdd(hn::Mul(a, a), hn::Set(d, T{1} / T{3}), one_plus_a), exp_of_negative(d, hn::Neg(a)));
}

// row[j] = value(d, |x - y_j|^2) from row[j] = x'y_j. Returns how many of these distances have lost their digits, and
// their places.
template <class T, class F>
HWY_INLINE Index from_products_to(T* HWY_RESTRICT row, Index n, T x_norm, const T* HWY_RESTRICT y_norm, T threshold,
                                  std::int32_t* HWY_RESTRICT cancelled, F value) {
  const Tag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Index count = 0, j = 0;
  const auto step = [&](auto tag) HWY_ATTR {
    const auto sum = hn::Add(hn::Set(tag, x_norm), hn::LoadU(tag, y_norm + j));
    const auto product = hn::LoadU(tag, row + j);
    const auto distance = hn::Max(hn::Zero(tag), hn::NegMulAdd(hn::Set(tag, T{2}), product, sum));
    const auto lost = hn::Lt(distance, hn::Mul(hn::Set(tag, threshold), sum));
    if (HWY_UNLIKELY(!hn::AllFalse(tag, lost))) {
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(tag, lost, bits);
      for (Index l = 0; l < static_cast<Index>(hn::Lanes(tag)); ++l)
        if ((bits[l / 8] >> (l % 8) & 1) != 0) cancelled[count++] = static_cast<std::int32_t>(j + l);
    }
    hn::StoreU(value(tag, distance), tag, row + j);
  };
  for (; j + lanes <= n; j += lanes) step(d);
  for (; j < n; ++j) step(one);
  return count;
}

template <class T>
Index radial(T* row, Index n, T x_norm, const T* y_norm, T threshold, Radial kind, T factor, std::int32_t* cancelled) {
  const auto map = [&](auto value)
                       HWY_ATTR { return from_products_to(row, n, x_norm, y_norm, threshold, cancelled, value); };
  switch (kind) {
    case Radial::exp_of_root:
      return map([&](auto d, auto v) HWY_ATTR { return exp_root_value(d, v, hn::Set(d, factor)); });
    case Radial::matern32_of_root:
      return map([&](auto d, auto v) HWY_ATTR { return matern32_value(d, v, hn::Set(d, factor)); });
    case Radial::matern52_of_root:
      return map([&](auto d, auto v) HWY_ATTR { return matern52_value(d, v, hn::Set(d, factor)); });
    default: return map([&](auto d, auto v) HWY_ATTR { return exp_value(d, v, hn::Set(d, factor)); });
  }
}

template <class T>
void exp_row(T* row, Index n, T factor) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR { return exp_value(d, v, hn::Set(d, factor)); });
}

template <class T>
void exp_root_row(T* row, Index n, T factor) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR { return exp_root_value(d, v, hn::Set(d, factor)); });
}

template <class T>
void matern32_row(T* row, Index n, T factor) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR { return matern32_value(d, v, hn::Set(d, factor)); });
}

template <class T>
void matern52_row(T* row, Index n, T factor) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR { return matern52_value(d, v, hn::Set(d, factor)); });
}

template <class T>
void tanh_row(T* row, Index n, T factor, T shift) {
  map_row(row, n, [&](auto d, auto v, Index) HWY_ATTR {
    return hn::Tanh(d, hn::MulAdd(hn::Set(d, factor), v, hn::Set(d, shift)));
  });
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
Index radial_f(float* row, Index n, float x, const float* y, float t, Radial kind, float factor, std::int32_t* c) {
  return radial(row, n, x, y, t, kind, factor, c);
}
Index radial_d(double* row, Index n, double x, const double* y, double t, Radial kind, double factor, std::int32_t* c) {
  return radial(row, n, x, y, t, kind, factor, c);
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
void absolute_f(const float* x, const float* B, Index ld, Index d, float* r, Index n) {
  absolute_differences(x, B, ld, d, r, n);
}
Index panel_width_f() { return panel_lanes<float>(); }
void panel_products_f(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n,
                      float* out) {
  products_with_panel(p, s, c, v, n, out);
}
void panel_overlaps_f(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n,
                      float* out) {
  overlaps_with_panel(p, s, c, v, n, out);
}
double norm_f(const float* x, Index d) { return norm(x, d); }
void matern32_f(float* row, Index n, float factor) { matern32_row(row, n, factor); }
void matern52_f(float* row, Index n, float factor) { matern52_row(row, n, factor); }
void tanh_f(float* row, Index n, float factor, float shift) { tanh_row(row, n, factor, shift); }
void absolute_d(const double* x, const double* B, Index ld, Index d, double* r, Index n) {
  absolute_differences(x, B, ld, d, r, n);
}
Index panel_width_d() { return panel_lanes<double>(); }
void panel_products_d(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                      double* out) {
  products_with_panel(p, s, c, v, n, out);
}
void panel_overlaps_d(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                      double* out) {
  overlaps_with_panel(p, s, c, v, n, out);
}
double norm_d(const double* x, Index d) { return norm(x, d); }
void matern32_d(double* row, Index n, double factor) { matern32_row(row, n, factor); }
void matern52_d(double* row, Index n, double factor) { matern52_row(row, n, factor); }
void tanh_d(double* row, Index n, double factor, double shift) { tanh_row(row, n, factor, shift); }

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {

HWY_EXPORT(from_products_f);
HWY_EXPORT(from_products_d);
HWY_EXPORT(radial_f);
HWY_EXPORT(radial_d);
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
HWY_EXPORT(absolute_f);
HWY_EXPORT(panel_width_f);
HWY_EXPORT(panel_products_f);
HWY_EXPORT(panel_overlaps_f);
HWY_EXPORT(norm_f);
HWY_EXPORT(matern32_f);
HWY_EXPORT(matern52_f);
HWY_EXPORT(tanh_f);
HWY_EXPORT(absolute_d);
HWY_EXPORT(panel_width_d);
HWY_EXPORT(panel_products_d);
HWY_EXPORT(panel_overlaps_d);
HWY_EXPORT(norm_d);
HWY_EXPORT(matern32_d);
HWY_EXPORT(matern52_d);
HWY_EXPORT(tanh_d);

bool squared_distances_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold) {
  return HWY_DYNAMIC_DISPATCH(from_products_f)(row, n, x_norm, y_norm, threshold);
}
bool squared_distances_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold) {
  return HWY_DYNAMIC_DISPATCH(from_products_d)(row, n, x_norm, y_norm, threshold);
}
Index radial_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold, Radial kind,
                           float factor, std::int32_t* cancelled) {
  return HWY_DYNAMIC_DISPATCH(radial_f)(row, n, x_norm, y_norm, threshold, kind, factor, cancelled);
}
Index radial_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold, Radial kind,
                           double factor, std::int32_t* cancelled) {
  return HWY_DYNAMIC_DISPATCH(radial_d)(row, n, x_norm, y_norm, threshold, kind, factor, cancelled);
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
void add_absolute_differences(const float* x, const float* Bt, Index stride, Index d, float* row, Index n) {
  HWY_DYNAMIC_DISPATCH(absolute_f)(x, Bt, stride, d, row, n);
}
Index panel_width(float) { return HWY_DYNAMIC_DISPATCH(panel_width_f)(); }
void panel_products(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n, float* out) {
  HWY_DYNAMIC_DISPATCH(panel_products_f)(p, s, c, v, n, out);
}
void panel_overlaps(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n, float* out) {
  HWY_DYNAMIC_DISPATCH(panel_overlaps_f)(p, s, c, v, n, out);
}
double squared_norm(const float* x, Index d) { return HWY_DYNAMIC_DISPATCH(norm_f)(x, d); }
void matern32_of_root(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(matern32_f)(row, n, factor); }
void matern52_of_root(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(matern52_f)(row, n, factor); }
void tanh_of(float* row, Index n, float factor, float shift) { HWY_DYNAMIC_DISPATCH(tanh_f)(row, n, factor, shift); }
void add_absolute_differences(const double* x, const double* Bt, Index stride, Index d, double* row, Index n) {
  HWY_DYNAMIC_DISPATCH(absolute_d)(x, Bt, stride, d, row, n);
}
Index panel_width(double) { return HWY_DYNAMIC_DISPATCH(panel_width_d)(); }
void panel_products(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                    double* out) {
  HWY_DYNAMIC_DISPATCH(panel_products_d)(p, s, c, v, n, out);
}
void panel_overlaps(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                    double* out) {
  HWY_DYNAMIC_DISPATCH(panel_overlaps_d)(p, s, c, v, n, out);
}
double squared_norm(const double* x, Index d) { return HWY_DYNAMIC_DISPATCH(norm_d)(x, d); }
void matern32_of_root(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(matern32_d)(row, n, factor); }
void matern52_of_root(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(matern52_d)(row, n, factor); }
void tanh_of(double* row, Index n, double factor, double shift) { HWY_DYNAMIC_DISPATCH(tanh_d)(row, n, factor, shift); }

}  // namespace dualkpca::vector_math
#endif
