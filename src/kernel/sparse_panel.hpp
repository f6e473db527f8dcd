#pragma once

#include <algorithm>
#include <vector>

#include "dualkpca/kernel/kernel.hpp"
#include "kernel/panel_math.hpp"

namespace dualkpca {

/// A panel: a few sparse rows side by side, dense in the columns that they have. A few vector operations combine an
/// entry of another row with all of them at once. A column that none of them has stands for zeros.
template <class T>
class SparsePanel {
 public:
  static Index width() { return vector_math::panel_width(T{}); }

  /// Makes the panel of the rows first..first+count-1 of A, count <= width().
  SparsePanel(const SparseRows<T>& A, Index first, Index count) : rows_(A.slice(first, count)), slots_(slots()) {
    if (static_cast<Index>(slots_.size()) < A.cols) slots_.resize(static_cast<std::size_t>(A.cols), 0);
    values_.reserve(static_cast<std::size_t>((rows_.nonzeros() + 1) * width()));
    values_.resize(static_cast<std::size_t>(width()), T{0});  // slot 0: zeros, for columns that no row has
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

  /// Returns the values, which the functions of panel_math.hpp take together with the slots.
  [[nodiscard]] const T* values() const { return values_.data(); }
  [[nodiscard]] const std::int32_t* slot_of_column() const { return slots_.data(); }

 private:
  // Returns the table of slots, which is all zero between panels. Every thread keeps one, because clearing a new one
  // for each panel would take d operations.
  static std::vector<std::int32_t>& slots() {
    thread_local std::vector<std::int32_t> kept;
    return kept;
  }
  SparseRows<T> rows_;
  std::vector<std::int32_t>& slots_;
  std::vector<T> values_;
};

/// Sparse rows with the columns of `kept` (ascending) alone, numbered from 0. Entries in other columns are left out.
template <class T>
class NarrowedRows {
 public:
  NarrowedRows(const SparseRows<T>& X, const std::vector<std::int32_t>& kept) : cols_(static_cast<Index>(kept.size())) {
    for (Index i = 0; i < X.rows; ++i) {
      for (Index e = X.offsets[i]; e < X.offsets[i + 1]; ++e) {
        const auto found = std::lower_bound(kept.begin(), kept.end(), X.columns[e]);
        if (found == kept.end() || *found != X.columns[e]) continue;
        columns_.push_back(static_cast<std::int32_t>(found - kept.begin()));
        values_.push_back(X.values[e]);
      }
      offsets_.push_back(static_cast<Index>(values_.size()));
    }
  }
  [[nodiscard]] SparseRows<T> view() const {
    return {offsets_.data(), columns_.data(), values_.data(), static_cast<Index>(offsets_.size()) - 1, cols_};
  }

 private:
  std::vector<Index> offsets_{0};
  std::vector<std::int32_t> columns_;
  std::vector<T> values_;
  Index cols_;
};

/// Largest number of columns for which the table of slots, 16 MiB a thread, is worth its memory.
inline constexpr Index widest_slot_table = Index{1} << 22;

/// Computes out(i, j) = combine(panel of rows of A, entries of row j of B) for all i and j. `combine` is one of
/// vector_math::panel_*.
template <class T, class Combine>
void sparse_tile(const SparseRows<T>& A, const SparseRows<T>& B, const TileRef<T>& out, const Combine& combine) {
  if (A.cols > widest_slot_table) {  // columns that A does not have add nothing
    std::vector<std::int32_t> kept(A.columns + A.offsets[0], A.columns + A.offsets[A.rows]);
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return sparse_tile(NarrowedRows<T>(A, kept).view(), NarrowedRows<T>(B, kept).view(), out, combine);
  }
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
