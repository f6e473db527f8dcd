#include "kernel/product_math.hpp"

#include "kernel/vector_limit.hpp"

// Highway compiles this file once per instruction set: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product_math.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernel/map_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// HWY_EXPORT takes no overloads, so each width has a name of its own.
void tanh_f(float* row, Index n, float factor, float shift) { tanh_row(row, n, factor, shift); }
void tanh_d(double* row, Index n, double factor, double shift) { tanh_row(row, n, factor, shift); }
void power_f(float* row, Index n, float factor, float shift, int degree) { power_row(row, n, factor, shift, degree); }
void power_d(double* row, Index n, double factor, double shift, int degree) {
  power_row(row, n, factor, shift, degree);
}

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::vector_math {

HWY_EXPORT(tanh_f);
HWY_EXPORT(tanh_d);
HWY_EXPORT(power_f);
HWY_EXPORT(power_d);

void tanh_of(float* row, Index n, float factor, float shift) { HWY_DYNAMIC_DISPATCH(tanh_f)(row, n, factor, shift); }
void tanh_of(double* row, Index n, double factor, double shift) { HWY_DYNAMIC_DISPATCH(tanh_d)(row, n, factor, shift); }
void power_of(float* row, Index n, float factor, float shift, int degree) {
  HWY_DYNAMIC_DISPATCH(power_f)(row, n, factor, shift, degree);
}
void power_of(double* row, Index n, double factor, double shift, int degree) {
  HWY_DYNAMIC_DISPATCH(power_d)(row, n, factor, shift, degree);
}

}  // namespace dualkpca::vector_math
#endif
