// Fuzz target of model files. If a file loads, every method must give a result or throw an error of the library.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dualkpca/model/kernel_pca.hpp"
#include "dualkpca/report/report.hpp"
#include "targets.hpp"

namespace dualkpca::fuzz {
namespace model_fuzz {

constexpr Index widest = 4096;     // most columns of a model that is tested
constexpr Index longest_lag = 64;  // most lags of a model that is tested
constexpr int threads = 1;

template <class T>
std::vector<T> some_numbers(Index count) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(2 * std::sin(static_cast<double>(i)));
  return numbers;
}

// The same few rows in every form that the library accepts.
struct Rows {
  explicit Rows(Index rows, Index cols)
      : wide(some_numbers<double>(rows * cols)), narrow(some_numbers<float>(rows * cols)) {
    sparse.cols = cols;
    for (Index i = 0; i < rows; ++i) {
      sparse.columns.push_back(static_cast<std::int32_t>(i % cols));
      sparse.values.push_back(1 + static_cast<double>(i));
      sparse.offsets.push_back(i + 1);
    }
    views = {SamplesView(wide.data(), rows, cols), SamplesView(narrow.data(), rows, cols), SamplesView(sparse.view())};
  }
  std::vector<double> wide;
  std::vector<float> narrow;
  CsrMatrix sparse{};
  std::vector<SamplesView> views{};
};

void project(const KernelPCA& model, const SamplesView& X) {
  completes([&] { static_cast<void>(model.transform(X, threads)); });
  completes([&] { static_cast<void>(model.monitor(X, threads)); });
  completes([&] { static_cast<void>(model.contributions(X, threads)); });
  completes([&] { static_cast<void>(model.noise_level(X)); });
  completes([&] { static_cast<void>(model.denoise(X, threads)); });
}

void invert(const KernelPCA& model, const SamplesView& X) {
  const Index s = model.report().n_components;
  if (s < 1 || s > widest) return;
  const Rows scores(2, s);
  for (const SamplesView& view : scores.views)
    completes([&] { static_cast<void>(model.inverse_transform(view, threads)); });
  completes([&] { static_cast<void>(model.denoise(X, threads)); });
  completes([&] { static_cast<void>(model.inverse_coefficients()); });
  completes([&] { static_cast<void>(model.inverse_report()); });
}

void describe(const KernelPCA& model) {
  completes([&] { static_cast<void>(report_json(model)); });
  completes([&] { static_cast<void>(summary_text(model)); });
  completes([&] { static_cast<void>(preimage_text(model)); });
  completes([&] { static_cast<void>(info_text(model)); });
  completes([&] { static_cast<void>(model.report()); });
  completes([&] { static_cast<void>(model.scores()); });
  // These results have as many rows as a sparse model declares.
  constexpr Index most_rows = 100'000;
  if (model.report().n_samples <= most_rows) {
    completes([&] { static_cast<void>(model.dual_variables()); });
    completes([&] { static_cast<void>(model.row_weights()); });
  }
  completes([&] { static_cast<void>(model.support()); });
  completes([&] { static_cast<void>(model.limits()); });
  completes([&] { static_cast<void>(model.eigenvalues()); });
  completes([&] { static_cast<void>(model.training_row_indices()); });
  completes([&] { static_cast<void>(model.training_statistics()); });
}

void check(const KernelPCA& model, const SamplesView& X) {
  const CheckParams params{.max_iter = 3, .time_limit = 1, .threads = threads};
  completes([&] {
    const CheckReport report = model.check(X, params);
    static_cast<void>(check_json(report));
    static_cast<void>(check_text(report));
  });
}

void learn_inverses(const KernelPCA& model, const SamplesView& X) {
  for (const PreimageMethod method : {PreimageMethod::automatic, PreimageMethod::ridge, PreimageMethod::fixed_point,
                                      PreimageMethod::distance, PreimageMethod::linear}) {
    KernelPCA copy = model;
    const bool learnt = completes([&] { copy.fit_inverse({.method = method, .centers = 8}, threads); });
    if (learnt) invert(copy, X);
  }
}

// Checks that a loaded model can be saved, and that the saved file is the same model.
void round_trip(const KernelPCA& model) {
  const std::string bytes = model.to_bytes();
  std::string again;
  try {
    again = KernelPCA::from_bytes(bytes).to_bytes();
  } catch (const Error& error) {
    report_find(std::string("a model that was loaded cannot be loaded after it was saved: ") + error.what());
  }
  if (again != bytes) report_find("a model changes when it is saved and loaded");
}

void try_every_method(const KernelPCA& model) {
  describe(model);
  std::optional<Samples> training;
  completes([&] { training = model.training_rows(); });
  if (training && training->view().rows() > 0) {
    check(model, training->view());
    completes([&] { static_cast<void>(model.transform(training->view(), threads)); });
  }
  const bool precomputed = model.params().kernel.name == KernelName::precomputed;
  const Index cols = precomputed ? model.report().n_samples : model.report().n_features;
  const Index lags = model.params().lags;
  if (cols < 1 || cols > widest || lags > longest_lag) return;
  const Rows rows(std::max(lags, Index{0}) + 3, cols);
  for (const SamplesView& X : rows.views) project(model, X);
  check(model, rows.views.front());
  invert(model, rows.views.front());
  learn_inverses(model, rows.views.front());
}

}  // namespace model_fuzz

void try_model(std::string_view bytes) {
  std::optional<KernelPCA> model;
  if (!completes([&] { model = KernelPCA::from_bytes(bytes); })) return;
  model_fuzz::try_every_method(*model);
  model_fuzz::round_trip(*model);
}

}  // namespace dualkpca::fuzz
