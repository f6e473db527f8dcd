#pragma once

#include <cstdint>

namespace dualkpca {

/// Purpose of random numbers. The same seed gives unrelated numbers for different purposes.
enum class Purpose : std::uint64_t { probes = 1, rounding = 2, challengers = 3, check = 4 };

/// Returns the seed for one purpose: a step of SplitMix64 (Steele, Lea and Flood 2014), which scatters close numbers.
[[nodiscard]] inline std::uint64_t derived_seed(std::uint64_t seed, Purpose purpose) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(purpose);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace dualkpca
