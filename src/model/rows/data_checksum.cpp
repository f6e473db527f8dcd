#include "model/rows/data_checksum.hpp"

#include <algorithm>
#include <bit>

namespace dualkpca {
namespace {

// Mixes a value into the hash with a multiplication and a shift (the finaliser of MurmurHash3), which is as fast as the
// values can be read.
void mix(std::uint64_t& hash, Index place, double value) {
  hash = (hash ^ std::bit_cast<std::uint64_t>(value) ^ static_cast<std::uint64_t>(place)) * 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33;
}

void mix_row(std::uint64_t& hash, const SamplesView& X, Index i) {
  X.for_each_entry(i, [&](Index j, double value) {
    if (value != 0) mix(hash, j, value);  // dense rows have zeros that sparse rows do not store
  });
}

std::uint64_t shape_hash(const SamplesView& X) {
  return static_cast<std::uint64_t>(X.rows()) * 31 + static_cast<std::uint64_t>(X.cols());
}

}  // namespace

std::uint64_t checksum(const SamplesView& X) {
  std::uint64_t hash = shape_hash(X);
  for (Index i = 0; i < X.rows(); ++i) mix_row(hash, X, i);
  return hash;
}

std::uint64_t matrix_checksum(const SamplesView& K) {
  std::uint64_t hash = shape_hash(K);
  for (Index i = 0; i < K.rows(); ++i) mix(hash, i, K(i, i));
  for (Index i = 0; i < K.rows(); i += std::max<Index>(1, K.rows() / 64)) mix_row(hash, K, i);
  return hash;
}

}  // namespace dualkpca
