// One fit of mlpack's KernelPCA from Debian's package r-cran-rcppmlpack:
//   mlpack_worker X.bin ROWS COLUMNS GAMMA COMPONENTS OUT.bin
// X.bin and OUT.bin contain float64 by rows. Prints the seconds of the fit, without start and reading, and as many
// eigenvalues as components. estimators.py compiles this file; it is not part of the build.
#include <RcppMLPACK.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <mlpack/core/kernels/gaussian_kernel.hpp>
#include <mlpack/methods/kernel_pca/kernel_pca.hpp>
#include <string>

int main(int count, char** words) {
  if (count != 7) return 2;
  const arma::uword n = std::stoul(words[2]), d = std::stoul(words[3]), s = std::stoul(words[5]);
  const double gamma = std::stod(words[4]);
  arma::mat X(d, n);  // a sample is a column
  std::ifstream(words[1], std::ios::binary)
      .read(reinterpret_cast<char*>(X.memptr()), static_cast<std::streamsize>(sizeof(double) * n * d));

  using Kernel = mlpack::kernel::GaussianKernel;
  mlpack::kpca::KernelPCA<Kernel> pca(Kernel(std::sqrt(0.5 / gamma)));
  arma::mat scores;
  arma::vec values;
  const auto start = std::chrono::steady_clock::now();
  pca.Apply(X, scores, values);  // all components: no overload returns eigenvalues and fewer components
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  std::printf("%.17g", seconds.count());
  for (arma::uword k = 0; k < s; ++k) std::printf(" %.17g", values[k]);
  std::printf("\n");
  const arma::mat kept = scores.head_rows(s);
  std::ofstream(words[6], std::ios::binary)
      .write(reinterpret_cast<const char*>(kept.memptr()), static_cast<std::streamsize>(sizeof(double) * kept.n_elem));
}
