#pragma once

#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/gram/stored.hpp"
#include "gram/tile_source.hpp"
#include "kernel/entry_errors.hpp"
#include "kernel/rows.hpp"

namespace dualkpca {

/// Returns `rows` as dense or sparse rows, whichever `kind` is.
template <class To, class From>
[[nodiscard]] DenseRows<To> rows_like(const DenseRows<From>& /*kind*/, const Samples& rows) {
  return rows.view().dense<To>();
}
template <class To, class From>
[[nodiscard]] SparseRows<To> rows_like(const SparseRows<From>& /*kind*/, const Samples& rows) {
  return rows.view().sparse<To>();
}

/// K(i, j) = k(x_i, x_j). The rows must outlive this object.
template <class T, class Rows>
class KernelSource final : public TileSource<T> {
 public:
  /// If `exact` is empty, exact blocks are evaluated from the rows X.
  KernelSource(std::shared_ptr<const Kernel> kernel, const Rows& X, int threads, ExactBlock exact)
      : kernel_(std::move(kernel)), X_(X), threads_(threads), exact_(std::move(exact)) {}

  void prepare() override {
    norms_.resize(static_cast<std::size_t>(X_.rows));
    for_each_block(X_.rows,
                   [&](Index begin, Index rows) { squared_norms(X_.slice(begin, rows), norms_.data() + begin); });
    X_.norms = norms_.data();
  }

  [[nodiscard]] Index cost_per_entry() const override { return entries_of(X_) / std::max<Index>(1, X_.rows) + 20; }

  void tile(Index row, Index col, const TileRef<T>& out) const override {
    kernel_->tile(X_.slice(row, out.rows), X_.slice(col, out.cols), out);
  }

  void columns(std::span<const Index> indices, MatrixRef out) const override {
    const auto count = static_cast<Index>(indices.size());
    const Samples right = SamplesView(X_).pick(indices);
    for_each_block(out.rows(), [&](Index begin, Index rows) {
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(rows, count);
      kernel_->tile(X_.slice(begin, rows), rows_like<T>(X_, right), {values.data(), rows, count, count});
      out.middleRows(begin, rows) = values.template cast<double>();
    });
  }

  [[nodiscard]] RoundingErrors errors(Index width) const override {
    const EntryErrors entries = entry_errors(kernel_->formula(), X_, threads_);
    double largest = 0;  // over all tiles, the squared length of the sizes of its rows
    for (Index first = 0; first < X_.rows; first += width)
      largest = std::max(largest, entries.size.segment(first, std::min(width, X_.rows - first)).squaredNorm());
    RoundingErrors errors{.shared = entries.shared_rows(),
                          .shared_norm = entries.shared_norm(),
                          .single = entries.single_rows(),
                          .sums = std::sqrt(largest) * entries.size,
                          .shared_share = entries.shared_share,
                          .single_share = entries.single_share,
                          .unit_sums = entries.size.maxCoeff() * entries.size};
    // Dense rows may be a projection, which was allowed to change a value by this share of its size (reduced_rows.hpp).
    constexpr bool may_be_projected = std::is_same_v<Rows, DenseRows<T>>;
    const double projection = may_be_projected && exact_ ? epsilon_of(precision_of<T>) : 0;
    errors.shared += projection * entries.size.norm() * entries.size;
    errors.shared_norm += projection * entries.size.squaredNorm();
    return errors;
  }

  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override {
    if (exact_) return exact_(rows, columns, out);
    const Samples right = SamplesView(X_).pick(columns, Precision::float64);
    for_each_block(out.rows(), [&](Index begin, Index count) {
      const auto indices = rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
      const Samples left = SamplesView(X_).pick(indices, Precision::float64);
      kernel_->tile(rows_like<double>(X_, left), rows_like<double>(X_, right),
                    {&out(begin, 0), count, out.cols(), out.outerStride()});
    });
  }

 private:
  static Index entries_of(const DenseRows<T>& X) { return X.rows * X.cols; }
  static Index entries_of(const SparseRows<T>& X) { return X.nonzeros(); }

  template <class Work>
  void for_each_block(Index rows, const Work& work) const {
    constexpr Index block = 256;
    parallel_blocks(rows, block, threads_, [&](Index begin, Index count, int) { work(begin, count); });
  }

  std::shared_ptr<const Kernel> kernel_;
  Rows X_;
  int threads_;
  ExactBlock exact_;
  std::vector<T> norms_{};  // squared norms of the rows; every tile needs those of two blocks
};

}  // namespace dualkpca
