#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/blas.hpp"
#include "core/huge_buffer.hpp"
#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/gram/gram_operator.hpp"
#include "gram/tile_layout.hpp"
#include "gram/tile_source.hpp"

namespace dualkpca {

/// The tiles of the lower triangle of K, evaluated by the first product, which uses each while it is in the cache.
template <class T>
class StoredGram final : public GramOperator {
 public:
  StoredGram(std::unique_ptr<const TileSource<T>> source, Vector diagonal, int threads, Observer observe = {})
      : source_(std::move(source)),
        diagonal_(std::move(diagonal)),
        layout_(diagonal_.size()),
        threads_(threads),
        observe_(std::move(observe)) {}

  [[nodiscard]] Index size() const override { return layout_.size(); }
  [[nodiscard]] Precision precision() const override { return precision_of<T>; }
  [[nodiscard]] double scale() const override {
    return std::sqrt(diagonal_.cwiseAbs().maxCoeff() * diagonal_.cwiseAbs().mean());
  }
  [[nodiscard]] Vector diagonal() const override { return diagonal_; }
  [[nodiscard]] GramCounts counts() const override { return counts_; }

  void apply(ConstMatrixRef V, MatrixRef GV) const override {
    const Index w = V.cols();
    // Brought to size 1, so that neither the operand nor the product can leave the range of T. Denormals among the
    // operand would slow GEMM as those of a tile would.
    const double magnitude = std::max(V.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    const RowMajor narrow = (V / magnitude).template cast<T>().unaryExpr([](T v) {
      return std::abs(v) < std::numeric_limits<T>::min() ? T{0} : v;
    });
    // Each thread takes one contiguous run of tiles and sums in float64 on its own, so that results are the same from
    // run to run, and equal up to the order of that sum for any number of threads.
    std::vector<Matrix> sums(static_cast<std::size_t>(threads_), Matrix::Zero(size(), w));
    std::vector<RowMajor> products(static_cast<std::size_t>(threads_), RowMajor(TileLayout::block, w));
    const auto use = [&](Index run, Index i, Index j) {
      const auto r = static_cast<std::size_t>(run);
      accumulate(blas::Op::none, i, j, narrow, products[r], sums[r]);
      if (i != j) accumulate(blas::Op::transpose, i, j, narrow, products[r], sums[r]);
    };
    counts_.stored ? for_each_tile([&](Index run, int, Index i, Index j) { use(run, i, j); }) : assemble(use);
    parallel_for(layout_.blocks(), threads_, [&](Index b, int) {
      const Index first = layout_.start(b), count = layout_.length(b);
      for (std::size_t run = 1; run < sums.size(); ++run)
        sums[0].middleRows(first, count) += sums[run].middleRows(first, count);
      GV.middleRows(first, count) = magnitude * sums[0].middleRows(first, count);
    });
    ++counts_.products;
    counts_.product_columns += w;
  }

  void columns(std::span<const Index> indices, MatrixRef out) const override {
    count_entries(size() * static_cast<Index>(indices.size()));
    // The lower triangle is half of K: from there on it costs no more to have it all.
    if (!counts_.stored && 2 * static_cast<Index>(indices.size()) < size()) return source_->columns(indices, out);
    if (!counts_.stored) assemble();
    for (std::size_t c = 0; c < indices.size(); ++c) {
      const Index b = indices[c] / TileLayout::block, within = indices[c] % TileLayout::block;
      for (Index i = 0; i < layout_.blocks(); ++i) {
        const TileRef<T> t = i >= b ? tile(i, b) : tile(b, i);
        for (Index r = 0; r < layout_.length(i); ++r)
          out(layout_.start(i) + r, static_cast<Index>(c)) =
              static_cast<double>(i >= b ? t.row(r)[within] : t.row(within)[r]);
      }
    }
  }

  void exact_block(Index first, std::span<const Index> indices, MatrixRef out) const override {
    source_->exact_block(first, indices, out);
    count_entries(out.rows() * static_cast<Index>(indices.size()));
  }

  /// Evaluates all tiles and hands each to use(run, i, j) at once. Throws Interrupted if the observer says so; the next
  /// call then begins anew.
  template <class Use>
  void assemble(const Use& use) const {
    const Timer timer;
    buffer_.emplace(static_cast<std::size_t>(layout_.elements()) * sizeof(T));
    std::atomic<Index> done{0};
    std::atomic<bool> stopped{false};
    for_each_tile([&](Index run, int thread, Index i, Index j) {
      if (stopped.load(std::memory_order_relaxed)) return;
      source_->tile(layout_.start(i), layout_.start(j), tile(i, j));
      use(run, i, j);
      const double fraction = static_cast<double>(++done) / static_cast<double>(layout_.tiles());
      if (thread == 0 && observe_ && !observe_({.stage = Progress::Stage::gram, .fraction = fraction})) stopped = true;
    });
    if (stopped) {
      buffer_.reset();
      throw Interrupted("stopped while the Gram matrix was being computed; there is no model to keep");
    }
    counts_.stored = true;
    counts_.assembly_seconds = timer.seconds();
  }
  void assemble() const {
    assemble([](Index, Index, Index) {});
  }

 private:
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  [[nodiscard]] TileRef<T> tile(Index i, Index j) const {
    return {static_cast<T*>(buffer_->data()) + layout_.offset(i, j), layout_.length(i), layout_.length(j),
            layout_.length(j)};
  }

  // visit(run, thread, i, j) for every tile: one run of consecutive tiles per thread.
  template <class Visit>
  void for_each_tile(const Visit& visit) const {
    const auto runs = static_cast<Index>(threads_);
    parallel_for(runs, threads_, [&](Index run, int thread) {
      for (Index t = layout_.tiles() * run / runs; t < layout_.tiles() * (run + 1) / runs; ++t) {
        const auto [i, j] = layout_.tile(t);
        visit(run, thread, i, j);
      }
    });
  }

  void count_entries(Index entries) const {
    entries_ += entries;
    counts_.kernel_columns = (entries_ + size() - 1) / size();
  }

  // sum(block i) += tile V(block j), or for the transpose sum(block j) += tile' V(block i).
  void accumulate(blas::Op op, Index i, Index j, const RowMajor& V, RowMajor& product, Matrix& sum) const {
    const TileRef<T> t = tile(i, j);
    const Index to = op == blas::Op::none ? i : j, from = op == blas::Op::none ? j : i, w = V.cols();
    blas::gemm(op, blas::Op::none, layout_.length(to), w, layout_.length(from), T{1}, t.data, t.stride,
               V.data() + layout_.start(from) * w, w, T{0}, product.data(), w);
    sum.middleRows(layout_.start(to), layout_.length(to)) +=
        product.topRows(layout_.length(to)).template cast<double>();
  }

  std::unique_ptr<const TileSource<T>> source_;
  Vector diagonal_;
  TileLayout layout_;
  int threads_;
  Observer observe_;
  mutable std::optional<HugeBuffer> buffer_{};  // empty until the tiles are needed
  mutable GramCounts counts_{};
  mutable Index entries_ = 0;  // single ones evaluated
};

}  // namespace dualkpca
