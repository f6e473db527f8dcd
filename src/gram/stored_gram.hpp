#pragma once

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "core/huge_buffer.hpp"
#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/observer.hpp"
#include "dualkpca/core/timer.hpp"
#include "dualkpca/gram/gram_operator.hpp"
#include "gram/block_product.hpp"
#include "gram/tile_layout.hpp"
#include "gram/tile_source.hpp"

namespace dualkpca {

/// The tiles of the lower triangle of K. The first product evaluates them, and uses each while it is in the cache.
template <class T>
class StoredGram final : public GramOperator {
 public:
  StoredGram(std::unique_ptr<TileSource<T>> source, Vector diagonal, int threads, Observer observe = {})
      : source_(std::move(source)),
        diagonal_(std::move(diagonal)),
        layout_(diagonal_.size()),
        threads_(threads),
        observe_(std::move(observe)) {}

  [[nodiscard]] Index size() const override { return layout_.size(); }
  [[nodiscard]] Precision precision() const override { return precision_of<T>; }
  [[nodiscard]] int threads() const override { return threads_; }
  [[nodiscard]] double scale() const override {
    return std::sqrt(diagonal_.cwiseAbs().maxCoeff() * diagonal_.cwiseAbs().mean());
  }
  [[nodiscard]] Vector diagonal() const override { return diagonal_; }
  [[nodiscard]] GramCounts counts() const override { return counts_; }

  void apply(ConstMatrixRef V, MatrixRef GV) const override {
    const int threads = threads_for(counts_.stored ? V.cols() : V.cols() + source_->cost_per_entry());
    product_.start(V, layout_, threads);
    const auto use = [&](Index run, Index i, Index j) { product_.add(run, layout_, i, j, tile(i, j)); };
    if (counts_.stored)
      for_each_tile(threads, [&](Index run, int, Index i, Index j) { use(run, i, j); });
    else
      assemble(use, threads);
    product_.finish(GV, layout_, threads);
    ++counts_.products;
    counts_.product_columns += V.cols();
  }

  void columns(std::span<const Index> indices, MatrixRef out) const override {
    count_entries(size() * static_cast<Index>(indices.size()));
    // The lower triangle is half of K: from this many columns on, evaluating all of it costs no more.
    if (!counts_.stored && 2 * static_cast<Index>(indices.size()) < size()) return source_->columns(indices, out);
    if (!counts_.stored) assemble();
    for (std::size_t c = 0; c < indices.size(); ++c) {
      const Index b = indices[c] / layout_.block(), within = indices[c] % layout_.block();
      for (Index i = 0; i < layout_.blocks(); ++i) {
        const TileRef<T> t = i >= b ? tile(i, b) : tile(b, i);
        for (Index r = 0; r < layout_.length(i); ++r)
          out(layout_.start(i) + r, static_cast<Index>(c)) =
              static_cast<double>(i >= b ? t.row(r)[within] : t.row(within)[r]);
      }
    }
  }

  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override {
    source_->exact_block(rows, columns, out);
    count_entries(static_cast<Index>(rows.size() * columns.size()));
  }

  [[nodiscard]] RoundingErrors rounding(double /*sum*/, bool sharp) const override {
    if (!source_errors_) source_errors_ = source_->errors(layout_.block());
    RoundingErrors errors = *source_errors_;
    if (sharp && counts_.stored) errors.sums = errors.sums.cwiseMin(longest_pieces());
    // A tile is multiplied in T. Each sum has as many roundings as the tile has columns, of about 0.4 u times the
    // partial sum, which grows evenly at worst. The sums of tiles are float64.
    const double u = 0.5 * epsilon_of(precision_of<T>);
    for (Vector* sums : {&errors.sums, &errors.unit_sums})
      *sums *= u * (1 + 0.25 * std::sqrt(static_cast<double>(layout_.block())));
    return errors;
  }

  [[nodiscard]] Vector offdiagonal_sums() const override {
    if (!counts_.stored) assemble();
    const auto sizes = [](const auto& row) { return row.template cast<double>().abs().eval(); };
    return over_pieces<double>(sizes, [](double& sum, double piece) { sum += piece; }) - diagonal_.cwiseAbs();
  }

  /// Evaluates all tiles, and calls use(run, i, j) for each as soon as it is evaluated. Throws Interrupted if the
  /// observer returns false; the next call then starts from the beginning.
  template <class Use>
  void assemble(const Use& use, int threads) const {
    const Timer timer;
    buffer_.emplace(static_cast<std::size_t>(layout_.elements()) * sizeof(T));
    source_->prepare();
    std::atomic<Index> done{0};
    std::atomic<bool> stopped{false};
    const auto report = [&](double fraction) {
      if (observe_ && !observe_({.stage = Progress::Stage::gram, .fraction = fraction})) stopped = true;
    };
    report(0);  // with many threads the calling one may get no tile, but it must still ask the observer
    for_each_tile(threads, [&](Index run, int thread, Index i, Index j) {
      if (stopped.load(std::memory_order_relaxed)) return;
      source_->tile(layout_.start(i), layout_.start(j), tile(i, j));
      use(run, i, j);
      const double fraction = static_cast<double>(++done) / static_cast<double>(layout_.tiles());
      if (thread == 0) report(fraction);
    });
    if (!stopped) report(1);
    if (stopped) {
      buffer_.reset();
      throw Interrupted("stopped while the Gram matrix was being computed; there is no model to keep");
    }
    counts_.stored = true;
    counts_.assembly_seconds = timer.seconds();
  }
  void assemble() const {
    assemble([](Index, Index, Index) {}, threads_for(source_->cost_per_entry()));
  }

 private:
  // Returns the largest length of the pieces that tiles cut each row into.
  [[nodiscard]] const Vector& longest_pieces() const {
    if (longest_pieces_) return *longest_pieces_;
    const auto square = [](const auto& row) { return row.square().eval(); };
    const Vector squares = over_pieces<T>(square, [](double& most, double piece) { most = std::max(most, piece); });
    // The sums are rounded in T, where the squares of tiny entries are 0.
    const double tiny = static_cast<double>(layout_.block()) * std::numeric_limits<T>::min();
    return longest_pieces_.emplace((1.001 * squares.array() + tiny).sqrt());
  }

  // Sums term(row) over the pieces of rows that lie in one tile, for all tiles and their mirror images, and combines
  // the sums of each row. Sums within a tile have the type S.
  template <class S, class Term, class Combine>
  [[nodiscard]] Vector over_pieces(const Term& term, const Combine& combine) const {
    using Row = Eigen::Array<T, 1, Eigen::Dynamic>;
    const int threads = threads_for(1);
    std::vector<Vector> runs(static_cast<std::size_t>(threads), Vector::Zero(size()));
    for_each_tile(threads, [&](Index run, int, Index i, Index j) {
      const TileRef<T> values = tile(i, j);
      Eigen::Array<S, 1, Eigen::Dynamic> terms(values.cols), columns = terms.Zero(values.cols);
      Vector& to = runs[static_cast<std::size_t>(run)];
      for (Index r = 0; r < values.rows; ++r) {
        terms = term(Eigen::Map<const Row>(values.row(r), values.cols));
        columns += terms;
        combine(to[layout_.start(i) + r], static_cast<double>(terms.sum()));
      }
      for (Index c = 0; c < values.cols && i != j; ++c)
        combine(to[layout_.start(j) + c], static_cast<double>(columns[c]));
    });
    for (std::size_t run = 1; run < runs.size(); ++run)
      for (Index i = 0; i < size(); ++i) combine(runs[0][i], runs[run][i]);
    return runs[0];
  }

  [[nodiscard]] TileRef<T> tile(Index i, Index j) const {
    return {static_cast<T*>(buffer_->data()) + layout_.offset(i, j), layout_.length(i), layout_.length(j),
            layout_.length(j)};
  }

  // Returns the number of threads for `multiply_adds` operations per entry; each entry of the lower triangle counts
  // twice.
  [[nodiscard]] int threads_for(Index multiply_adds) const {
    return useful_threads(size() * size() * multiply_adds, threads_);
  }

  // Calls visit(run, thread, i, j) for every tile: one run of consecutive tiles per thread.
  template <class Visit>
  void for_each_tile(int threads, const Visit& visit) const {
    const auto runs = static_cast<Index>(threads);
    parallel_for(runs, threads, [&](Index run, int thread) {
      const Index end = layout_.first_of_part(run + 1, runs);
      for (Index t = layout_.first_of_part(run, runs); t < end; ++t) {
        const auto [i, j] = layout_.tile(t);
        visit(run, thread, i, j);
      }
    });
  }

  void count_entries(Index entries) const {
    entries_ += entries;
    counts_.kernel_columns = (entries_ + size() - 1) / size();
  }

  std::unique_ptr<TileSource<T>> source_;
  Vector diagonal_;
  TileLayout layout_;
  int threads_;
  Observer observe_;
  mutable std::optional<HugeBuffer> buffer_{};  // empty until the tiles are evaluated
  mutable BlockProduct<T> product_{};
  mutable GramCounts counts_{};
  mutable std::optional<RoundingErrors> source_errors_{};  // these two are found when they are needed
  mutable std::optional<Vector> longest_pieces_{};
  mutable Index entries_ = 0;  // entries evaluated one by one, outside the tiles
};

}  // namespace dualkpca
