// A program that uses only the installed dualkpca. Matrices cross the border both ways: made here and read in the
// library, made in the library and freed here. This fails if the two sides disagree on Eigen's alignment.
#include <cmath>
#include <dualkpca/dualkpca.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr dualkpca::Index n = 200, d = 7;
  dualkpca::Matrix X(n, d);
  for (dualkpca::Index i = 0; i < n; ++i)
    for (dualkpca::Index j = 0; j < d; ++j)
      X(i, j) = std::sin(1.7 * static_cast<double>(i * d + j)) + (i % 3 == j ? 2 : 0);

  double worst = 0;
  for (const auto solver : {dualkpca::SolverName::lbfgs, dualkpca::SolverName::dense}) {
    dualkpca::KernelPCA pca({.n_components = 3,
                             .kernel = {.gamma = 0.1},
                             .solver = {.name = solver, .tol = 1e-10},
                             .precision = dualkpca::Precision::float64});
    pca.fit(X);
    if (pca.report().status != dualkpca::Status::converged) return 1;
    pca.save(argv[1]);
    const dualkpca::KernelPCA loaded = dualkpca::KernelPCA::load(argv[1]);
    for (int repeat = 0; repeat < 20; ++repeat) {
      dualkpca::Matrix scores = loaded.transform(dualkpca::SamplesView(X).slice(0, n - repeat));
      scores = scores * dualkpca::Matrix::Identity(3, 3);  // reallocated on this side
      worst = std::max(worst, (scores - pca.scores().topRows(n - repeat)).norm() / scores.norm());
    }
    dualkpca::FitReport report = pca.report();  // its vectors were allocated in the library
    report.eigenvalues = 2 * report.eigenvalues.eval();
    std::cout << dualkpca::to_string(report.solver) << ": " << report.explained_variance_ratio.transpose() << '\n';
  }
  try {
    (void)dualkpca::KernelPCA().transform(X);
    return 1;
  } catch (const dualkpca::NotFitted&) {  // thrown in the library, caught by its type here
  }
  std::cout << "relative difference of the scores after save and load: " << worst << '\n';
  return worst < 1e-9 ? 0 : 1;
}
