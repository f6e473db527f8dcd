#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/random.hpp"
#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/report/report.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::save_load_test {
namespace {

class SaveLoad : public testing::Test {
 protected:
  const test::TempDir dir_;
  const std::string path_ = dir_.path("model.dkpca");
};

KernelPCAParams example_params() {
  KernelPCAParams params;
  params.n_components = 3;
  params.kernel.gamma = 0.3;
  params.solver.tol = 1e-8;
  params.precision = Precision::float64;
  params.threads = 1;
  return params;
}

// Parameters of models that store different things.
std::vector<KernelPCAParams> variants() {
  std::vector<KernelPCAParams> all(6, example_params());
  all[1].precision = Precision::float32;
  all[1].solver.tol = 1e-4;
  all[2].kernel = {.name = KernelName::poly, .gamma = GammaRule::scale, .degree = 2, .coef0 = 0.5};
  all[2].scale = Scaling::robust;
  all[3].kernel.name = KernelName::linear;
  all[3].center = false;
  all[3].solver = {.name = SolverName::lbfgs, .tol = 1e-9, .max_iter = 7, .time_limit = 2.5, .seed = ~0ULL};
  all[4].kernel = {.name = KernelName::laplace, .gamma = GammaRule::median};
  all[4].n_components = 0.9;
  all[4].scale = Scaling::standard;
  all[4].memory = std::size_t{1} << 30;
  all[5].kernel.name = KernelName::precomputed;
  all[5].scale = Scaling::minmax;  // has no effect on a precomputed matrix
  return all;
}

TEST_F(SaveLoad, a_loaded_model_is_the_saved_one) {
  const Matrix X = random_normal(40, 5, 1), Z = random_normal(7, 5, 2);
  const Matrix K = X * X.transpose(), L = Z * X.transpose();
  for (const KernelPCAParams& params : variants()) {
    const bool precomputed = params.kernel.name == KernelName::precomputed;
    SCOPED_TRACE(to_string(params.kernel.name));
    KernelPCA model(params);
    model.fit(precomputed ? K : X);
    model.save(path_);
    const KernelPCA loaded = KernelPCA::load(path_);
    EXPECT_EQ(report_json(loaded), report_json(model));
    EXPECT_EQ(info_text(loaded), info_text(model));
    EXPECT_EQ(loaded.scores(), model.scores());
    EXPECT_EQ(loaded.dual_variables(), model.dual_variables());
    EXPECT_EQ(loaded.transform(precomputed ? L : Z, 1), model.transform(precomputed ? L : Z, 1));
    EXPECT_EQ(loaded.params().n_components.fraction, params.n_components.fraction);
    EXPECT_EQ(loaded.params().kernel.gamma.rule, params.kernel.gamma.rule);
    EXPECT_EQ(loaded.params().solver.seed, params.solver.seed);
    EXPECT_EQ(loaded.params().memory, params.memory);
    EXPECT_EQ(loaded.params().precision, params.precision);
  }
}

TEST_F(SaveLoad, a_loaded_model_can_be_saved_again) {
  KernelPCA model(example_params());
  model.fit(Matrix(random_normal(20, 2, 3)));
  model.save(path_);
  const auto bytes = [&] {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string first = bytes();
  const KernelPCA loaded = KernelPCA::load(path_);
  loaded.save(path_);  // replaces the file that the model is mapped from
  EXPECT_EQ(bytes(), first);
  EXPECT_EQ(loaded.transform(Matrix(random_normal(3, 2, 4))), model.transform(Matrix(random_normal(3, 2, 4))));
}

TEST_F(SaveLoad, refuses_a_flipped_bit_in_every_byte) {
  KernelPCA model(example_params());
  model.fit(Matrix(random_normal(6, 2, 5)));
  model.save(path_);
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path_));
  for (std::streamoff i = 0; i < size; ++i) {
    const auto flip = [&] {
      file.seekg(i);
      const int byte = file.get();
      file.seekp(i);
      file.put(static_cast<char>(byte ^ (1 << (i % 8)))).flush();
    };
    flip();
    EXPECT_THROW(static_cast<void>(KernelPCA::load(path_)), DataError) << "byte " << i;
    flip();
  }
  EXPECT_NO_THROW(static_cast<void>(KernelPCA::load(path_)));
}

TEST_F(SaveLoad, needs_a_fitted_model) { EXPECT_THROW(KernelPCA().save(path_), NotFitted); }

TEST_F(SaveLoad, says_why_it_failed) {
  KernelPCA model(example_params());
  model.fit(Matrix(random_normal(6, 2, 5)));
  EXPECT_THROW(model.save("/dev/full"), ResourceError);
  EXPECT_THROW(model.save("/no/such/directory/model.dkpca"), DataError);
}

}  // namespace
}  // namespace dualkpca::save_load_test
