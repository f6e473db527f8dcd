#pragma once

#include <algorithm>
#include <cmath>

#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Positions of the tiles of a lower triangle in one array: tile rows follow each other, and each holds its tiles from
/// left to right. A tile is row-major without padding. Tile (i, j), j <= i, covers the rows of block i and the columns
/// of block j. Tiles on the diagonal are stored in full.
class TileLayout {
 public:
  explicit TileLayout(Index n) : n_(n), block_(block_for(n)), blocks_((n + block_ - 1) / block_) {}
  /// Returns the number of rows and columns of a tile; the last tiles may have fewer.
  [[nodiscard]] Index block() const { return block_; }
  [[nodiscard]] Index size() const { return n_; }
  [[nodiscard]] Index blocks() const { return blocks_; }
  [[nodiscard]] Index tiles() const { return blocks_ * (blocks_ + 1) / 2; }
  [[nodiscard]] Index start(Index i) const { return i * block_; }
  [[nodiscard]] Index length(Index i) const { return std::min(block_, n_ - i * block_); }
  [[nodiscard]] Index offset(Index i, Index j) const {
    return block_ * block_ * (i * (i + 1) / 2) + length(i) * block_ * j;
  }
  [[nodiscard]] Index elements() const {
    return blocks_ == 0 ? 0 : offset(blocks_ - 1, blocks_ - 1) + length(blocks_ - 1) * length(blocks_ - 1);
  }
  struct Tile {
    Index i, j;
  };
  /// Returns the t-th tile, counted along the tile rows.
  [[nodiscard]] Tile tile(Index t) const {
    auto i = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(t) + 1.0) - 1.0) / 2.0);
    while (i * (i + 1) / 2 > t) --i;
    while ((i + 1) * (i + 2) / 2 <= t) ++i;
    return {i, t - i * (i + 1) / 2};
  }
  /// Returns the first tile of part `part` if the tiles are cut into `parts` parts of about equally many entries;
  /// tiles() for part == parts.
  [[nodiscard]] Index first_of_part(Index part, Index parts) const {
    const double wanted = static_cast<double>(elements()) * static_cast<double>(part) / static_cast<double>(parts);
    Index low = 0, high = tiles();  // bisection: tiles from `high` on begin at or after the entry sought
    while (low < high) {
      const Index middle = (low + high) / 2;
      const auto [i, j] = tile(middle);
      static_cast<double>(offset(i, j)) < wanted ? low = middle + 1 : high = middle;
    }
    return low;
  }

 private:
  // A float32 tile of 512 x 512 is 1 MiB, so it stays in the cache between its two uses in a product. If there are few
  // rows, tiles are smaller, so that every thread gets some and little is evaluated twice on the diagonal.
  static Index block_for(Index n) { return n > 2048 ? 512 : n > 512 ? 256 : 128; }

  Index n_, block_, blocks_;
};

}  // namespace dualkpca
