#include "kernel/radial_math.hpp"

#include "kernel/vector_limit.hpp"

// Highway compiles this file once per instruction set: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/radial_math.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernel/map_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns exp(z) for z <= 0, and 0 for results below the smallest normal number. In float32 it uses the polynomial of
// Cephes, which is accurate to about one unit in the last place. It is faster by a third than Highway's function, which
// has to handle results of every size.
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

// Functions of a squared distance v. The last two multiply the exponential by a factor of at least 1, so flushing the
// exponential to 0 is enough.
template <class D, class V>
HWY_INLINE V exp_value(D d, V v, V factor) {
  return exp_of_negative(d, hn::Mul(factor, v));
}
template <class D, class V>
HWY_INLINE V exp_root_value(D d, V v, V factor) {
  return exp_of_negative(d, hn::Mul(factor, hn::Sqrt(v)));
}
// Returns factor |x - y|, or a smaller number for which the kernel is 0 too and no power overflows.
template <class D, class V>
HWY_INLINE V matern_argument(D d, V v, V factor) {
  return hn::Min(hn::Mul(factor, hn::Sqrt(v)), hn::Set(d, hn::TFromD<D>{10000}));
}
template <class D, class V>
HWY_INLINE V matern32_value(D d, V v, V factor) {
  const auto a = matern_argument(d, v, factor);
  return hn::Mul(hn::Add(hn::Set(d, hn::TFromD<D>{1}), a), exp_of_negative(d, hn::Neg(a)));
}
template <class D, class V>
HWY_INLINE V matern52_value(D d, V v, V factor) {
  using T = hn::TFromD<D>;
  const auto a = matern_argument(d, v, factor);
  const auto one_plus_a = hn::Add(hn::Set(d, T{1}), a);
  return hn::Mul(hn::MulAdd(hn::Mul(a, a), hn::Set(d, T{1} / T{3}), one_plus_a), exp_of_negative(d, hn::Neg(a)));
}

// Computes row[j] = value(d, |x - y_j|^2) from row[j] = x'y_j. Returns how many of these distances have lost too many
// digits, with their places in `cancelled`.
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

// HWY_EXPORT takes no overloads, so each width has a name of its own.
Index radial_f(float* row, Index n, float x, const float* y, float t, Radial kind, float factor, std::int32_t* c) {
  return radial(row, n, x, y, t, kind, factor, c);
}
Index radial_d(double* row, Index n, double x, const double* y, double t, Radial kind, double factor, std::int32_t* c) {
  return radial(row, n, x, y, t, kind, factor, c);
}
void exp_f(float* row, Index n, float factor) { exp_row(row, n, factor); }
void exp_d(double* row, Index n, double factor) { exp_row(row, n, factor); }
void exp_root_f(float* row, Index n, float factor) { exp_root_row(row, n, factor); }
void exp_root_d(double* row, Index n, double factor) { exp_root_row(row, n, factor); }
void matern32_f(float* row, Index n, float factor) { matern32_row(row, n, factor); }
void matern32_d(double* row, Index n, double factor) { matern32_row(row, n, factor); }
void matern52_f(float* row, Index n, float factor) { matern52_row(row, n, factor); }
void matern52_d(double* row, Index n, double factor) { matern52_row(row, n, factor); }

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {

HWY_EXPORT(radial_f);
HWY_EXPORT(radial_d);
HWY_EXPORT(exp_f);
HWY_EXPORT(exp_d);
HWY_EXPORT(exp_root_f);
HWY_EXPORT(exp_root_d);
HWY_EXPORT(matern32_f);
HWY_EXPORT(matern32_d);
HWY_EXPORT(matern52_f);
HWY_EXPORT(matern52_d);

Index radial_from_products(float* row, Index n, float x_norm, const float* y_norm, float threshold, Radial kind,
                           float factor, std::int32_t* cancelled) {
  return HWY_DYNAMIC_DISPATCH(radial_f)(row, n, x_norm, y_norm, threshold, kind, factor, cancelled);
}
Index radial_from_products(double* row, Index n, double x_norm, const double* y_norm, double threshold, Radial kind,
                           double factor, std::int32_t* cancelled) {
  return HWY_DYNAMIC_DISPATCH(radial_d)(row, n, x_norm, y_norm, threshold, kind, factor, cancelled);
}
void exp_of(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(exp_f)(row, n, factor); }
void exp_of(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(exp_d)(row, n, factor); }
void exp_of_root(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(exp_root_f)(row, n, factor); }
void exp_of_root(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(exp_root_d)(row, n, factor); }
void matern32_of_root(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(matern32_f)(row, n, factor); }
void matern32_of_root(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(matern32_d)(row, n, factor); }
void matern52_of_root(float* row, Index n, float factor) { HWY_DYNAMIC_DISPATCH(matern52_f)(row, n, factor); }
void matern52_of_root(double* row, Index n, double factor) { HWY_DYNAMIC_DISPATCH(matern52_d)(row, n, factor); }

}  // namespace dualkpca::vector_math
#endif
