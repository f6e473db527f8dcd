#pragma once

#include <cstdint>
#include <random>

#include "dualkpca/core/types.hpp"

/// Random rows that are hard to fit: rows far away, rows that occur often, columns of different units.
namespace dualkpca::test {

/// Returns the number of the first problem of a property test: DUALKPCA_FIRST_PROBLEM, or 0. Another number gives other
/// problems.
int first_problem();

/// A source of random numbers with short names.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  /// Returns an integer from low to high.
  Index pick(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random_); }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double normal() { return normal_(random_); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  /// Returns a power of ten whose exponent is uniform between low and high.
  double power(double low, double high);
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[pick(0, static_cast<Index>(values.size()) - 1)];
  }
  Matrix normal_rows(Index n, Index d);
  Matrix uniform_rows(Index n, Index d, double half_width);

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{};
};

/// Returns normal rows around a few random centres.
Matrix blobs(Dice& dice, Index n, Index d);
/// Moves the last `count` rows to a place at this distance, with standard deviation 0.5 among themselves.
void move_away(Dice& dice, Matrix& X, Index first, Index count, double distance);
/// Replaces rows by copies of a row with small changes: `clusters` groups of `size` rows each.
void add_tight_clusters(Dice& dice, Matrix& X, Index clusters, Index size, double width);
/// Returns n rows that are copies of `distinct` normal rows.
Matrix repeated_rows(Dice& dice, Index n, Index d, Index distinct);
/// Returns rows uniform in a cube of this half width with a few close pairs.
Matrix scattered_rows(Dice& dice, Index n, double half_width, Index pairs);

}  // namespace dualkpca::test
