// Speed of products with the Gram matrix against sgemm: the first product, which evaluates the tiles, and a later one.
// Each is a share of the rate that sgemm reaches in the same run on 512-tiles of the same inner dimensions (operands in
// cache). Both are measured in turn, best of several. Usage: gram_bench [n] [d] [columns] [threads] [repeats]
#include <fmt/format.h>

#include <cstdlib>

#include "dualkpca/core/random.hpp"
#include "dualkpca/gram/stored.hpp"
#include "roofline.hpp"

using namespace dualkpca;
using namespace dualkpca::bench;

namespace {

struct Best {
  double rate = 0, reference = 0;
  void add(double r, double ref) { rate = std::max(rate, r), reference = std::max(reference, ref); }
};

void print(const char* what, const Best& best) {
  fmt::print("{:<34} {:>8.1f} {:>12.1f} {:>8.0f} %\n", what, best.rate, best.reference,
             100 * best.rate / best.reference);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, Index fallback) { return argc > i ? std::atol(argv[i]) : fallback; };
  const Index n = argument(1, 15000), d = argument(2, 256), w = argument(3, 32);
  const int threads = resolve_threads(static_cast<int>(argument(4, 0))), repeats = static_cast<int>(argument(5, 5));
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> X = random_normal(n, d, 1).cast<float>();
  const Matrix V = random_normal(n, w, 2);
  Matrix GV(n, w);
  const auto rows = static_cast<double>(n);
  const double assembly_flops = rows * (rows + 1) * static_cast<double>(d),
               product_flops = 2 * rows * rows * static_cast<double>(w);

  fmt::print("n = {}, d = {}, {} columns, float32, {} threads, best of {}\n\n", n, d, w, threads, repeats);
  fmt::print("{:<34} {:>8} {:>12} {:>10}\n", "", "Gflop/s", "sgemm", "share");
  for (const KernelName name :
       {KernelName::linear, KernelName::rbf, KernelName::laplace, KernelName::poly, KernelName::laplacian}) {
    const std::shared_ptr<const Kernel> kernel = make_kernel(name, 0.5 / static_cast<double>(d), 3, 1);
    std::unique_ptr<GramOperator> gram;
    Best assembly, product;
    for (int r = 0; r < repeats; ++r) {
      // The time that sgemm would need for assembly and product.
      const double reference = assembly_flops / sgemm_rate(block, d, blas::Op::none, blas::Op::transpose, threads) +
                               product_flops / sgemm_rate(w, block, blas::Op::none, blas::Op::none, threads);
      gram.reset();
      const double time = seconds([&] {
        gram = make_stored_gram(kernel, DenseRows<float>{X.data(), n, d, d}, threads);
        gram->apply(V, GV);
      });
      const double flops = assembly_flops + product_flops;
      assembly.add(flops / time / 1e9, flops / reference);
    }
    print(fmt::format("assembly and product, {}", to_string(name)).c_str(), assembly);
    if (name != KernelName::rbf) continue;  // a later product does not depend on the kernel
    for (int r = 0; r < repeats; ++r) {
      const double reference = sgemm_rate(w, block, blas::Op::none, blas::Op::none, threads);
      product.add(product_flops / seconds([&] { gram->apply(V, GV); }) / 1e9, reference);
    }
    print("product", product);
  }
  return 0;
}
