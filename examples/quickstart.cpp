// Fits kernel PCA in a few lines. The marked lines are the C++ example of README.md.
// [readme]
#include <dualkpca/dualkpca.hpp>
// [/readme]
#include <iostream>

int main() try {
  // [readme]
  const auto iris = dualkpca::read_dataset("iris.csv", {.label_col = "species"});
  dualkpca::KernelPCA pca({.n_components = 2, .kernel = {.gamma = 0.2}, .scale = dualkpca::Scaling::standard});
  pca.fit(iris.samples.view());
  std::cout << "explained: " << pca.report().explained_variance_ratio.transpose() << '\n';
  pca.save("quickstart.safetensors");
  const auto scores = dualkpca::KernelPCA::load("quickstart.safetensors").transform(iris.samples.view());
  // [/readme]

  // The loaded model gives the training rows the same scores as fit().
  const double difference = (scores - pca.scores()).norm() / pca.scores().norm();
  std::cout << "relative difference of the scores after save, load and transform: " << difference << '\n';
  return difference < 1e-5 ? 0 : 1;
} catch (const dualkpca::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
