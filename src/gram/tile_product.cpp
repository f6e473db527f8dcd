#include "gram/tile_product.hpp"

#include "kernel/vector_limit.hpp"

// This file keeps vectors in arrays, which is impossible on targets whose vector size is unknown at compile time.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// Highway compiles this file once per instruction set: foreach_target.h includes it repeatedly.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gram/tile_product.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace dualkpca::tile_product::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;

// A piece of the tile (16 KiB) and the parts of both operands that it needs stay in the first-level cache together.
// Wide operands are therefore processed in strips.
constexpr Index piece_rows = 64;
template <class T>
constexpr Index piece_cols = 256 / sizeof(T);
constexpr Index most_vectors_of_strip = 12;
constexpr Index most_vectors = 4;
constexpr Index line_bytes = 64;

// Uses as many accumulators as there are registers, so that multiply-adds need not wait for each other.
constexpr Index rows_at_once(Index vectors) { return vectors == 1 ? 8 : 12 / vectors; }

// Memory that will be read soon. It is prefetched a few lines at a time between other work: fetching all lines at once
// would stall.
struct Ahead {
  const char* at;
  Index lines;
  void fetch() {
    for (Index l = 0; l < lines; ++l) __builtin_prefetch(at + l * line_bytes, 0, 2);
    at += lines * line_bytes;
  }
};

// Computes C(r, :) (+)= sum over k of a[r * row_step + k * k_step] B(k, :) for `rows` rows and `vectors` vectors of
// columns.
template <Index rows, Index vectors, class T>
HWY_INLINE void block(const T* HWY_RESTRICT a, Index row_step, Index k_step, Index count, const T* HWY_RESTRICT B,
                      T* HWY_RESTRICT C, Index width, bool add) {
  const Tag<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  hn::Vec<Tag<T>> sum[rows][vectors];
#pragma GCC unroll 12
  for (Index r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (Index v = 0; v < vectors; ++v) sum[r][v] = add ? hn::LoadU(d, C + r * width + v * lanes) : hn::Zero(d);
  // Keeps the smaller set of factors in registers: the `rows` entries of a or the `vectors` vectors of B.
  for (Index k = 0; k < count; ++k) {
    if constexpr (rows < vectors) {
      hn::Vec<Tag<T>> factor[rows];
#pragma GCC unroll 12
      for (Index r = 0; r < rows; ++r) factor[r] = hn::Set(d, a[r * row_step + k * k_step]);
#pragma GCC unroll 4
      for (Index v = 0; v < vectors; ++v) {
        const auto b = hn::LoadU(d, B + k * width + v * lanes);
#pragma GCC unroll 12
        for (Index r = 0; r < rows; ++r) sum[r][v] = hn::MulAdd(factor[r], b, sum[r][v]);
      }
    } else {
      hn::Vec<Tag<T>> b[vectors];
#pragma GCC unroll 4
      for (Index v = 0; v < vectors; ++v) b[v] = hn::LoadU(d, B + k * width + v * lanes);
#pragma GCC unroll 12
      for (Index r = 0; r < rows; ++r) {
        const auto factor = hn::Set(d, a[r * row_step + k * k_step]);
#pragma GCC unroll 4
        for (Index v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(factor, b[v], sum[r][v]);
      }
    }
  }
#pragma GCC unroll 12
  for (Index r = 0; r < rows; ++r)
#pragma GCC unroll 4
    for (Index v = 0; v < vectors; ++v) hn::StoreU(sum[r][v], d, C + r * width + v * lanes);
}

// Computes the same for any number of rows.
template <Index vectors, class T>
void panel(const T* a, Index rows, Index row_step, Index k_step, Index count, const T* B, T* C, Index width, bool add,
           Ahead& ahead) {
  constexpr Index at_once = rows_at_once(vectors);
  Index r = 0;
  for (; r + at_once <= rows; r += at_once) {
    ahead.fetch();
    block<at_once, vectors>(a + r * row_step, row_step, k_step, count, B, C + r * width, width, add);
  }
  if constexpr (at_once > 3)
    for (; r + 2 <= rows; r += 2)
      block<2, vectors>(a + r * row_step, row_step, k_step, count, B, C + r * width, width, add);
  for (; r < rows; ++r) block<1, vectors>(a + r * row_step, row_step, k_step, count, B, C + r * width, width, add);
}

// Computes the same for any number of vectors, in panels of about equal width.
template <class T>
void piece_times(const T* a, Index rows, Index row_step, Index k_step, Index count, const T* B, T* C, Index width,
                 Index vectors, bool add, Ahead& ahead) {
  const auto lanes = static_cast<Index>(hn::Lanes(Tag<T>()));
  for (Index panels = (vectors + most_vectors - 1) / most_vectors; panels > 0; --panels) {
    const Index now = (vectors + panels - 1) / panels;
    switch (now) {
      case 1: panel<1>(a, rows, row_step, k_step, count, B, C, width, add, ahead); break;
      case 2: panel<2>(a, rows, row_step, k_step, count, B, C, width, add, ahead); break;
      case 3: panel<3>(a, rows, row_step, k_step, count, B, C, width, add, ahead); break;
      default: panel<4>(a, rows, row_step, k_step, count, B, C, width, add, ahead); break;
    }
    B += now * lanes;
    C += now * lanes;
    vectors -= now;
  }
}

// Multiplies all pieces of the tile by `vectors` vectors of columns of the operands.
template <class T>
void multiply_strip(const TileRef<T>& tile, Index width, Index vectors, const T* right, const T* left, T* product,
                    T* transposed_product) {
  constexpr Index columns = piece_cols<T>;
  HWY_ALIGN T piece[piece_rows * columns];
  // `blocks` is a little less than the number of blocks of a piece; each block prefetches `lines` lines of later
  // pieces.
  const Index blocks = std::max<Index>(1, vectors * (piece_rows + (left == nullptr ? 0 : columns)) / 16);
  const Index lines = static_cast<Index>(sizeof piece) / line_bytes / blocks + 1;
  for (Index i = 0; i < tile.rows; i += piece_rows) {
    const Index rows = std::min(piece_rows, tile.rows - i);
    Ahead ahead{reinterpret_cast<const char*>(tile.data + (i + piece_rows) * tile.stride), lines};
    for (Index j = 0; j < tile.cols; j += columns) {
      const Index cols = std::min(columns, tile.cols - j);
      // The rows of a tile are a power of two apart and so share a few cache sets: reading down a column would make
      // them evict each other. The piece is therefore copied.
      for (Index r = 0; r < rows; ++r) std::copy_n(tile.row(i + r) + j, cols, piece + r * columns);
      piece_times(piece, rows, columns, Index{1}, cols, right + j * width, product + i * width, width, vectors, j > 0,
                  ahead);
      if (left != nullptr)
        piece_times(piece, cols, Index{1}, columns, rows, left + i * width, transposed_product + j * width, width,
                    vectors, i > 0, ahead);
    }
  }
}

template <class T>
void multiply_tile(const TileRef<T>& tile, Index w, Index width, const T* right, const T* left, T* product,
                   T* transposed_product) {
  const auto lanes = static_cast<Index>(hn::Lanes(Tag<T>()));
  const Index all = (w + lanes - 1) / lanes, strips = (all + most_vectors_of_strip - 1) / most_vectors_of_strip;
  for (Index strip = 0; strip < strips; ++strip) {
    const Index first = all * strip / strips, end = all * (strip + 1) / strips, at = first * lanes;
    multiply_strip(tile, width, end - first, right + at, left == nullptr ? nullptr : left + at, product + at,
                   transposed_product + at);
  }
}

template <class T>
void add_to(const T* HWY_RESTRICT values, Index count, double* HWY_RESTRICT sums) {
  const Tag<double> d;
  const hn::Rebind<T, Tag<double>> narrow;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Index k = 0;
  for (; k + lanes <= count; k += lanes) {
    const auto value = hn::LoadU(narrow, values + k);
    if constexpr (sizeof(T) == sizeof(double))
      hn::StoreU(hn::Add(hn::LoadU(d, sums + k), value), d, sums + k);
    else
      hn::StoreU(hn::Add(hn::LoadU(d, sums + k), hn::PromoteTo(d, value)), d, sums + k);
  }
  for (; k < count; ++k) sums[k] += static_cast<double>(values[k]);
}

// HWY_EXPORT accepts no overloads, so there is one name per width.
Index lanes_f() { return static_cast<Index>(hn::Lanes(Tag<float>())); }
Index lanes_d() { return static_cast<Index>(hn::Lanes(Tag<double>())); }
void multiply_f(const TileRef<float>& tile, Index w, Index width, const float* right, const float* left, float* product,
                float* transposed_product) {
  multiply_tile(tile, w, width, right, left, product, transposed_product);
}
void multiply_d(const TileRef<double>& tile, Index w, Index width, const double* right, const double* left,
                double* product, double* transposed_product) {
  multiply_tile(tile, w, width, right, left, product, transposed_product);
}
void add_f(const float* values, Index count, double* sums) { add_to(values, count, sums); }
void add_d(const double* values, Index count, double* sums) { add_to(values, count, sums); }

}  // namespace dualkpca::tile_product::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dualkpca::tile_product {

HWY_EXPORT(lanes_f);
HWY_EXPORT(lanes_d);
HWY_EXPORT(multiply_f);
HWY_EXPORT(multiply_d);
HWY_EXPORT(add_f);
HWY_EXPORT(add_d);

namespace {

Index padded(Index w, Index lanes, std::size_t entry) {
  const Index width = (w + lanes - 1) / lanes * lanes;
  // Rows a power of two apart would evict each other from the cache.
  return static_cast<std::size_t>(width) * entry % 512 == 0 ? width + lanes : width;
}

}  // namespace

Index padded_width(Index w, float) { return padded(w, HWY_DYNAMIC_DISPATCH(lanes_f)(), sizeof(float)); }
Index padded_width(Index w, double) { return padded(w, HWY_DYNAMIC_DISPATCH(lanes_d)(), sizeof(double)); }
void multiply(const TileRef<float>& tile, Index w, Index width, const float* right, const float* left, float* product,
              float* transposed_product) {
  HWY_DYNAMIC_DISPATCH(multiply_f)(tile, w, width, right, left, product, transposed_product);
}
void multiply(const TileRef<double>& tile, Index w, Index width, const double* right, const double* left,
              double* product, double* transposed_product) {
  HWY_DYNAMIC_DISPATCH(multiply_d)(tile, w, width, right, left, product, transposed_product);
}
void add(const float* values, Index count, double* sums) { HWY_DYNAMIC_DISPATCH(add_f)(values, count, sums); }
void add(const double* values, Index count, double* sums) { HWY_DYNAMIC_DISPATCH(add_d)(values, count, sums); }

}  // namespace dualkpca::tile_product
#endif
