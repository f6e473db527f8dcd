// Removes noise from waves of any phase and strength, with a model fitted to clean waves.
#include <cmath>
#include <dualkpca/core/random.hpp>
#include <dualkpca/dualkpca.hpp>
#include <iostream>

// Returns n waves: one period in 32 columns, with the first overtone.
dualkpca::Matrix waves(dualkpca::Index n, std::uint64_t seed) {
  const dualkpca::Matrix random = dualkpca::random_normal(n, 2, seed);
  dualkpca::Matrix X(n, 32);
  for (dualkpca::Index i = 0; i < n; ++i)
    for (dualkpca::Index j = 0; j < X.cols(); ++j) {
      const double angle = 0.19635 * static_cast<double>(j) + 3 * random(i, 0);
      X(i, j) = (1 + 0.2 * random(i, 1)) * (std::sin(angle) + 0.5 * std::sin(2 * angle));
    }
  return X;
}

int main() try {
  // [docs]
  const dualkpca::Matrix train = waves(500, 1), clean = waves(100, 2);
  const dualkpca::Matrix noisy = clean + 0.5 * dualkpca::random_normal(100, 32, 3);
  dualkpca::KernelPCA pca({.n_components = 16, .kernel = {.gamma = dualkpca::GammaRule::median}});
  pca.fit(train);

  pca.fit_inverse({.noise = pca.noise_level(noisy)});
  const dualkpca::Matrix denoised = pca.denoise(noisy);
  std::cout << "noise " << pca.inverse_report()->noise << '\n';
  std::cout << "mean square error " << (noisy - clean).cwiseAbs2().mean() << " before, "
            << (denoised - clean).cwiseAbs2().mean() << " after\n";
  pca.save("waves.safetensors");  // contains the inverse transform
  // [/docs]
  return (denoised - clean).squaredNorm() < 0.2 * (noisy - clean).squaredNorm() ? 0 : 1;
} catch (const dualkpca::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
