#pragma once

#include <algorithm>
#include <vector>

#include "dualkpca/kernel/kernel.hpp"
#include "kernel/vector_math.hpp"

namespace dualkpca {

/// A few sparse rows side by side, dense in the columns that they have: an entry of another row then meets all of them
/// at once, in a few vector operations, and entries in columns that none of them has meet zeros.
template <class T>
class SparsePanel {
 public:
  static Index width() { return vector_math::panel_width(T{}); }

  /// Holds rows first..first+count-1 of A, count <= width().
  SparsePanel(const SparseRows<T>& A, Index first, Index count) : rows_(A.slice(first, count)), slots_(slots()) {
    if (static_cast<Index>(slots_.size()) < A.cols) slots_.resize(static_cast<std::size_t>(A.cols), 0);
    values_.reserve(static_cast<std::size_t>((rows_.nonzeros() + 1) * width()));
    values_.resize(static_cast<std::size_t>(width()), T{0});  // slot 0: the columns nobody has
    for (Index r = 0; r < count; ++r)
      for (Index e = rows_.offsets[r]; e < rows_.offsets[r + 1]; ++e) {
        std::int32_t& slot = slots_[static_cast<std::size_t>(rows_.columns[e])];
        if (slot == 0) {
          slot = static_cast<std::int32_t>(values_.size() / static_cast<std::size_t>(width()));
          values_.resize(values_.size() + static_cast<std::size_t>(width()), T{0});
        }
        values_[static_cast<std::size_t>(slot * width() + r)] = rows_.values[e];
      }
  }
  ~SparsePanel() {
    for (Index e = rows_.offsets[0]; e < rows_.offsets[rows_.rows]; ++e)
      slots_[static_cast<std::size_t>(rows_.columns[e])] = 0;
  }
  SparsePanel(const SparsePanel&) = delete;
  SparsePanel& operator=(const SparsePanel&) = delete;

  /// What the functions of vector_math take.
  [[nodiscard]] const T* values() const { return values_.data(); }
  [[nodiscard]] const std::int32_t* slot_of_column() const { return slots_.data(); }

 private:
  // All zero between panels. Kept by every thread, since clearing it for each panel would cost d.
  static std::vector<std::int32_t>& slots() {
    thread_local std::vector<std::int32_t> kept;
    return kept;
  }
  SparseRows<T> rows_;
  std::vector<std::int32_t>& slots_;
  std::vector<T> values_;
};

/// out(i, j) = combine(panel of rows of A, entries of row j of B) for all i and j; combine is one of
/// vector_math::panel_*.
template <class T, class Combine>
void sparse_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out, const Combine& combine) {
  const Index width = SparsePanel<T>::width();
  std::vector<T> sums(static_cast<std::size_t>(B.rows * width));
  for (Index first = 0; first < A.rows; first += width) {
    const Index count = std::min(width, A.rows - first);
    const SparsePanel<T> panel(A, first, count);
    for (Index j = 0; j < B.rows; ++j)
      combine(panel.values(), panel.slot_of_column(), B.columns + B.offsets[j], B.values + B.offsets[j],
              B.offsets[j + 1] - B.offsets[j], sums.data() + j * width);
    for (Index r = 0; r < count; ++r)
      for (Index j = 0; j < B.rows; ++j) out.row(first + r)[j] = sums[static_cast<std::size_t>(j * width + r)];
  }
}

}  // namespace dualkpca
