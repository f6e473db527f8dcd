#pragma once

#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "gram/tile_layout.hpp"
#include "gram/tile_product.hpp"

namespace dualkpca {

/// A product GV that is being computed: the operand in the precision of the tiles, and the sums so far. Tiles are
/// multiplied in their own precision. Each of `runs` threads adds up its results in float64 on its own. Results are
/// therefore the same from run to run, and for any number of threads equal up to the order of summation. The memory is
/// kept for the next product.
template <class T>
class BlockProduct {
 public:
  void start(ConstMatrixRef V, const TileLayout& layout, int threads) {
    columns_ = V.cols();
    width_ = tile_product::padded_width(columns_, T{});
    // The operand is scaled to magnitude 1, so that neither it nor the product can leave the range of T.
    std::vector<double> largest(static_cast<std::size_t>(layout.blocks()));
    parallel_for(layout.blocks(), threads, [&](Index b, int) {
      const auto rows = V.middleRows(layout.start(b), layout.length(b));
      largest[static_cast<std::size_t>(b)] = rows.cwiseAbs().maxCoeff();
    });
    magnitude_ = std::numeric_limits<double>::min();
    for (const double value : largest) magnitude_ = std::max(magnitude_, value);
    operand_.resize(static_cast<std::size_t>(layout.size() * width_));
    parallel_for(layout.blocks(), threads, [&](Index b, int) {
      for (Index i = layout.start(b); i < layout.start(b) + layout.length(b); ++i)
        narrow(V.data() + i * V.outerStride(), operand_.data() + i * width_);
    });
    runs_.resize(static_cast<std::size_t>(threads));
    for (Run& run : runs_) run.reach = 0;
  }

  /// Adds the contribution of tile (i, j). A run is used by one thread at a time, with i never descending.
  void add(Index run, const TileLayout& layout, Index i, Index j, const TileRef<T>& tile) {
    Run& to = runs_[static_cast<std::size_t>(run)];
    to.reserve(layout.start(i) + layout.length(i), layout, width_);
    const T* above = operand_.data() + layout.start(i) * width_;
    const T* left = operand_.data() + layout.start(j) * width_;
    T* transposed = to.scratch.data() + layout.block() * width_;
    tile_product::multiply(tile, columns_, width_, left, i == j ? nullptr : above, to.scratch.data(), transposed);
    tile_product::add(to.scratch.data(), tile.rows * width_, to.sums.data() + layout.start(i) * width_);
    if (i != j) tile_product::add(transposed, tile.cols * width_, to.sums.data() + layout.start(j) * width_);
  }

  void finish(MatrixRef GV, const TileLayout& layout, int threads) {
    parallel_for(layout.blocks(), threads, [&](Index b, int) {
      const Index first = layout.start(b), count = layout.length(b);
      GV.middleRows(first, count).setZero();
      for (const Run& run : runs_)
        if (run.reach > first)
          GV.middleRows(first, count) +=
              Eigen::Map<const Matrix>(run.sums.data() + first * width_, count, width_).leftCols(columns_);
      GV.middleRows(first, count) *= magnitude_;
    });
  }

 private:
  struct Run {
    std::vector<double> sums{};  // n x width; the first `reach` rows are in use
    std::vector<T> scratch{};    // products of one tile
    Index reach = 0;

    void reserve(Index rows, const TileLayout& layout, Index width) {
      if (reach == 0) {
        sums.resize(static_cast<std::size_t>(layout.size() * width));
        scratch.resize(static_cast<std::size_t>(2 * layout.block() * width));
      }
      if (rows > reach) std::fill(sums.data() + reach * width, sums.data() + rows * width, 0.0);
      reach = std::max(reach, rows);
    }
  };

  // Converts a row to T. Denormals become 0, because they would slow the multiplication down.
  void narrow(const double* row, T* out) const {
    for (Index c = 0; c < columns_; ++c) {
      const auto value = static_cast<T>(row[c] / magnitude_);
      out[c] = std::abs(value) < std::numeric_limits<T>::min() ? T{0} : value;
    }
    std::fill(out + columns_, out + width_, T{0});
  }

  Index columns_ = 0, width_ = 0;
  double magnitude_ = 1;
  std::vector<T> operand_{};  // n x width
  std::vector<Run> runs_{};
};

}  // namespace dualkpca
