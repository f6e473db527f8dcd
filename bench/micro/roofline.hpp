#pragma once

#include <functional>
#include <vector>

#include "core/blas.hpp"
#include "core/parallel.hpp"
#include "dualkpca/core/timer.hpp"

namespace dualkpca::bench {

/// Side of the tiles that sgemm is measured on.
inline constexpr Index block = 512;

inline double seconds(const std::function<void()>& work) {
  const Timer timer;
  work();
  return timer.seconds();
}

/// Returns Gflop/s of many sgemm calls (block x cols x inner) on every thread, operands in cache: the roofline.
inline double sgemm_rate(Index cols, Index inner, blas::Op op_a, blas::Op op_b, int threads) {
  const Index calls = std::max<Index>(1, 4'000'000'000 / (2 * block * cols * inner));
  const double time = seconds([&] {
    parallel_for(threads, threads, [&](Index, int) {
      std::vector<float> a(static_cast<std::size_t>(block * inner), 0.5F),
          b(static_cast<std::size_t>(inner * cols), 0.5F), c(static_cast<std::size_t>(block * cols));
      for (Index i = 0; i < calls; ++i)
        blas::gemm(op_a, op_b, block, cols, inner, 1.0F, a.data(), op_a == blas::Op::none ? inner : block, b.data(),
                   op_b == blas::Op::none ? cols : inner, 0.0F, c.data(), cols);
    });
  });
  return 2.0 * static_cast<double>(calls * threads * block * cols * inner) / time / 1e9;
}

}  // namespace dualkpca::bench
