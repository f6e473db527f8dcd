#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "dualkpca/model/kernel_pca.hpp"
#include "support/exact.hpp"

/// Problems for the test of certified errors.
namespace dualkpca::certified_eta_test {

/// Claims of a solver about a problem.
struct Claim {
  EtaKind kind = EtaKind::estimated;
  Status status = Status::converged;
  double tol = 0;
  double eta = 1;
  Matrix H{};
  std::optional<CheckReport> check{};
  test::LongGram exact{};  ///< the exact Gram matrix, if an error is certified
  std::string description{};

  [[nodiscard]] bool is_certified() const { return kind == EtaKind::certified; }
};

/// A kind of problems.
struct Kind {
  const char* name;
  int problems;                ///< number of problems in an ordinary run
  double certified;            ///< least share of problems whose error must be certified
  Claim (*solve)(int number);  ///< solves the problem of this number
};
inline void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

// Given kernel matrices.
Claim solve_spectrum(int number);
Claim solve_points(int number);
Claim solve_with_restarts(int number);
// Rows, for KernelPCA.
Claim fit_ordinary_rows(int number);
Claim fit_heavy_rows(int number);
Claim fit_heavy_rows_of_many(int number);
Claim fit_hidden_clusters(int number);
Claim fit_repeated_rows(int number);
Claim fit_near_identity(int number);
Claim fit_to_tiny_tolerance(int number);
Claim fit_by_other_solvers(int number);
Claim fit_far_rows(int number);

}  // namespace dualkpca::certified_eta_test
