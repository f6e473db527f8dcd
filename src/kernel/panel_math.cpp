#include "kernel/panel_math.hpp"

#include "kernel/vector_limit.hpp"

// Highway compiles this file once per instruction set: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/panel_math.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

template <class T>
Index panel_lanes() {
  return 4 * static_cast<Index>(hn::Lanes(Tag<T>()));
}

// Combines each entry of a sparse row with all rows of the panel. `accumulate(p, v, s)` adds the result for the value p
// of the panel and v of the row to the sum s.
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
  // A zero of the panel gives exactly 0.
  meet_panel(panel, slots, columns, values, entries, out, [](auto p, auto v, auto s) HWY_ATTR {
    return hn::Add(hn::Sub(hn::Sub(hn::Abs(hn::Sub(p, v)), hn::Abs(v)), hn::Abs(p)), s);
  });
}

// HWY_EXPORT takes no overloads, so each width has a name of its own.
Index panel_width_f() { return panel_lanes<float>(); }
Index panel_width_d() { return panel_lanes<double>(); }
void panel_products_f(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n,
                      float* out) {
  products_with_panel(p, s, c, v, n, out);
}
void panel_products_d(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                      double* out) {
  products_with_panel(p, s, c, v, n, out);
}
void panel_overlaps_f(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n,
                      float* out) {
  overlaps_with_panel(p, s, c, v, n, out);
}
void panel_overlaps_d(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                      double* out) {
  overlaps_with_panel(p, s, c, v, n, out);
}

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {

HWY_EXPORT(panel_width_f);
HWY_EXPORT(panel_width_d);
HWY_EXPORT(panel_products_f);
HWY_EXPORT(panel_products_d);
HWY_EXPORT(panel_overlaps_f);
HWY_EXPORT(panel_overlaps_d);

Index panel_width(float) { return HWY_DYNAMIC_DISPATCH(panel_width_f)(); }
Index panel_width(double) { return HWY_DYNAMIC_DISPATCH(panel_width_d)(); }
void panel_products(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n, float* out) {
  HWY_DYNAMIC_DISPATCH(panel_products_f)(p, s, c, v, n, out);
}
void panel_products(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                    double* out) {
  HWY_DYNAMIC_DISPATCH(panel_products_d)(p, s, c, v, n, out);
}
void panel_overlaps(const float* p, const std::int32_t* s, const std::int32_t* c, const float* v, Index n, float* out) {
  HWY_DYNAMIC_DISPATCH(panel_overlaps_f)(p, s, c, v, n, out);
}
void panel_overlaps(const double* p, const std::int32_t* s, const std::int32_t* c, const double* v, Index n,
                    double* out) {
  HWY_DYNAMIC_DISPATCH(panel_overlaps_d)(p, s, c, v, n, out);
}

}  // namespace dualkpca::vector_math
#endif
