// Monitors a process: computes T2 and SPE of a new row, compares them with limits, and finds the column behind a fault.
#include <dualkpca/core/random.hpp>
#include <dualkpca/dualkpca.hpp>
#include <iostream>

// Returns n rows of five columns that depend on two hidden causes.
dualkpca::Matrix process_rows(dualkpca::Index n, std::uint64_t seed) {
  const dualkpca::Matrix mixing = dualkpca::random_normal(2, 5, 1);
  return dualkpca::random_normal(n, 2, seed) * mixing + 0.2 * dualkpca::random_normal(n, 5, seed + 1);
}

int main() try {
  // [docs]
  const dualkpca::Matrix clean = process_rows(500, 10);
  dualkpca::KernelPCA pca({.n_components = 5,
                           .kernel = {.gamma = dualkpca::GammaRule::median},
                           .scale = dualkpca::Scaling::standard,
                           .monitor = {.limits = dualkpca::LimitKind::cross_validated, .level = 0.99}});
  pca.fit(clean);

  dualkpca::Matrix row = process_rows(1, 20);
  row(0, 3) += 5;  // the fault
  const auto statistics = pca.monitor(row);
  const auto limits = *pca.limits();
  std::cout << "T2 " << statistics.t2[0] << ", limit " << limits.t2 << '\n';
  std::cout << "SPE " << statistics.spe[0] << ", limit " << limits.spe << '\n';
  dualkpca::Index column = 0;
  pca.contributions(row).spe.row(0).maxCoeff(&column);
  std::cout << "column " << column + 1 << " adds most to SPE\n";
  // [/docs]
  return statistics.spe[0] > limits.spe && column == 3 ? 0 : 1;
} catch (const dualkpca::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
