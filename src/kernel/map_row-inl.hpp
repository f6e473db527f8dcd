// This file is compiled once per instruction set, as the files that include it are. Its guard toggles, because #pragma
// once would include it for the first instruction set only. Must be included after hwy/foreach_target.h.
#if defined(DUALKPCA_KERNEL_MAP_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DUALKPCA_KERNEL_MAP_ROW_INL
#undef DUALKPCA_KERNEL_MAP_ROW_INL
#else
#define DUALKPCA_KERNEL_MAP_ROW_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "dualkpca/core/types.hpp"

HWY_BEFORE_NAMESPACE();
namespace dualkpca::vector_math::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

// Returns v, with 0 for numbers below the smallest normal one.
template <class D, class V>
HWY_INLINE V flush(D d, V v) {
  return hn::IfThenElseZero(hn::Ge(hn::Abs(v), hn::Set(d, std::numeric_limits<hn::TFromD<D>>::min())), v);
}

// Computes row[j] = f(row[j]), a vector at a time, and one lane at a time for the rest. The rest runs the same code, so
// a value does not depend on its place in the tile.
template <class T, class F>
HWY_INLINE void map_row(T* HWY_RESTRICT row, Index n, F f) {
  const Tag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + lanes <= n; j += lanes) hn::StoreU(flush(d, f(d, hn::LoadU(d, row + j), j)), d, row + j);
  for (; j < n; ++j) hn::StoreU(flush(one, f(one, hn::LoadU(one, row + j), j)), one, row + j);
}

}  // namespace dualkpca::vector_math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
