// The extension module dualkpca._core, which exposes each method of the C++ class to Python. The estimator in Python
// adds the names, checks and conventions of scikit-learn.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/dualkpca.hpp"
#include "interrupt.hpp"
#include "params.hpp"

namespace dualkpca::python {
namespace {

// Fits the model and returns eta after each iteration, as far as the solver reports it.
py::array fit(KernelPCA& model, const py::object& X, const py::object& progress) {
  const InputRows rows(X);
  SignalWatch watch(progress);
  run_watched(watch, [&](const Observer& observe) { model.fit(rows.view(), observe); });
  return watch.history();
}

void fit_inverse(KernelPCA& model, const py::dict& keywords, int threads, const py::object& X,
                 const py::object& progress) {
  const PreimageParams params = preimage_params_from(keywords);
  SignalWatch watch(progress);
  if (X.is_none()) {
    run_watched(watch, [&](const Observer& observe) { model.fit_inverse(params, threads, observe); });
    return;
  }
  const InputRows rows(X);
  run_watched(watch, [&](const Observer& observe) { model.fit_inverse(rows.view(), params, threads, observe); });
}

constexpr Index large_block = 4096;

// Calls part(rows) -> Matrix for blocks of the rows of X and joins the results. Handles signals between the blocks.
// With lags a block begins with the rows before its first sample.
template <class Part>
Matrix by_blocks(const SamplesView& X, Index block, Index lags, SignalWatch& watch, const Part& part) {
  const Index samples = X.rows() - lags;
  if (samples <= block) return part(X);
  Matrix out;
  for (Index first = 0; first < samples; first += block) {
    const Index count = std::min(block, samples - first);
    const Matrix rows = part(X.slice(first, count + lags));
    if (first == 0) out.resize(samples, rows.cols());
    out.middleRows(first, count) = rows;
    if (!watch({.stage = Progress::Stage::solve})) break;
  }
  return out;
}

// Applies a method that computes one row of results for each sample.
template <class Part>
py::array map_rows(const py::object& X, Index block, Index lags, const std::string& dtype, const Part& part) {
  const InputRows rows(X);
  SignalWatch watch{py::none()};
  Matrix out;
  run_watched(watch, [&](const Observer&) { out = by_blocks(rows.view(), block, lags, watch, part); });
  return to_numpy(std::move(out), precision_of_dtype(dtype));
}

py::array transform(const KernelPCA& model, const py::object& X, const std::string& dtype, int threads) {
  return map_rows(X, large_block, model.params().lags, dtype,
                  [&](const SamplesView& rows) { return model.transform(rows, threads); });
}

py::array inverse_transform(const KernelPCA& model, const py::object& scores, const std::string& dtype, int threads) {
  return map_rows(scores, large_block, 0, dtype,
                  [&](const SamplesView& rows) { return model.inverse_transform(rows, threads); });
}

py::array denoise(const KernelPCA& model, const py::object& X, const std::string& dtype, int threads) {
  return map_rows(X, large_block, model.params().lags, dtype,
                  [&](const SamplesView& rows) { return model.denoise(rows, threads); });
}

py::tuple monitor(const KernelPCA& model, const py::object& X, int threads) {
  const py::array both = map_rows(X, large_block, model.params().lags, "float64", [&](const SamplesView& rows) {
    const RowStatistics statistics = model.monitor(rows, threads);
    Matrix columns(statistics.t2.size(), 2);
    columns << statistics.t2, statistics.spe;
    return columns;
  });
  const py::object columns = both.attr("T").attr("copy")();
  return py::make_tuple(columns[py::int_(0)], columns[py::int_(1)]);
}

py::tuple contributions(const KernelPCA& model, const py::object& X, int threads) {
  constexpr Index small_block = 64;  // contributions are slow, so signals are handled more often
  const Index d = model.report().n_features;
  const py::array both = map_rows(X, small_block, model.params().lags, "float64", [&](const SamplesView& rows) {
    const Contributions parts = model.contributions(rows, threads);
    Matrix columns(parts.t2.rows(), 2 * d);
    columns << parts.t2, parts.spe;
    return columns;
  });
  const auto part = [&](Index first) {
    return both[py::make_tuple(py::slice(py::none(), py::none(), py::none()), py::slice(first, first + d, 1))];
  };
  return py::make_tuple(part(0).attr("copy")(), part(d).attr("copy")());
}

double noise_level(const KernelPCA& model, const py::object& X) {
  const InputRows rows(X);
  const py::gil_scoped_release release;
  return model.noise_level(rows.view());
}

py::object training_rows(const KernelPCA& model) {
  const Samples samples = model.training_rows();
  const SamplesView& view = samples.view();
  if (!view.is_sparse()) return to_numpy(view.to_matrix(), Precision::float64);
  std::vector<double> values;
  std::vector<Index> columns, offsets{0};
  for (Index i = 0; i < view.rows(); ++i) {
    view.for_each_entry(i, [&](Index column, double value) {
      columns.push_back(column);
      values.push_back(value);
    });
    offsets.push_back(static_cast<Index>(values.size()));
  }
  return py::make_tuple(py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data()), to_numpy(columns),
                        to_numpy(offsets), py::make_tuple(view.rows(), view.cols()));
}

py::bytes to_bytes(const KernelPCA& model) {
  std::string bytes;
  {
    const py::gil_scoped_release release;
    bytes = model.to_bytes();
  }
  return bytes;
}

KernelPCA from_bytes(const py::bytes& bytes) {
  const std::string_view view = bytes;
  const py::gil_scoped_release release;
  return KernelPCA::from_bytes(view);
}

py::object numbers_of(const KernelPCA& model) {
  const FitReport& report = model.report();
  const auto& params = model.params();
  py::dict out;
  out["status"] = std::string(to_string(report.status));
  out["message"] = report.message;
  out["solver"] = to_string(report.solver);
  out["iterations"] = report.iterations;
  out["eta"] = report.eta;
  out["eta_kind"] = to_string(report.eta_kind);
  out["gamma"] = report.gamma;
  out["n_features"] = report.n_features;
  out["n_samples"] = report.n_samples;
  out["n_components"] = report.n_components;
  out["precision"] = std::string(to_string(report.precision));
  out["is_landmark_model"] = report.landmarks.has_value();
  out["eigenvalues"] = to_numpy(report.eigenvalues);
  out["explained_variance_ratio"] = to_numpy(report.explained_variance_ratio);
  out["notes"] = report.notes;
  out["lags"] = params.lags;
  if (report.limits) out["limits"] = py::make_tuple(report.limits->t2, report.limits->spe);
  return out;
}

void translate(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const InvalidArgument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const DataError& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const ResourceError& e) {
    PyErr_SetString(PyExc_MemoryError, e.what());
  } catch (const Interrupted& e) {
    PyErr_SetString(PyExc_KeyboardInterrupt, e.what());
  } catch (const NotFitted& e) {
    const auto type = py::module_::import("sklearn.exceptions").attr("NotFittedError");
    PyErr_SetString(type.ptr(), e.what());
  }
}

using ModelClass = py::class_<KernelPCA>;

// Adds the methods that take rows: the fit and its applications.
void add_methods(ModelClass& model) {
  using namespace pybind11::literals;
  model.def(py::init([](const py::dict& keywords) { return KernelPCA(params_from(keywords)); }), "keywords"_a)
      .def("fit", &fit, "X"_a, "progress"_a = py::none())
      .def("fit_inverse", &fit_inverse, "keywords"_a, "threads"_a = 0, "X"_a = py::none(), "progress"_a = py::none())
      .def("transform", &transform, "X"_a, "dtype"_a, "threads"_a = 0)
      .def("inverse_transform", &inverse_transform, "scores"_a, "dtype"_a, "threads"_a = 0)
      .def("denoise", &denoise, "X"_a, "dtype"_a, "threads"_a = 0)
      .def("monitor", &monitor, "X"_a, "threads"_a = 0)
      .def("contributions", &contributions, "X"_a, "threads"_a = 0)
      .def("noise_level", &noise_level, "X"_a)
      .def("plan", [](const KernelPCA& self, const py::object& X) {
        const InputRows rows(X);
        return plan_text(plan_fit(self.params(), rows.view()), rows.view());
      });
}

// Adds the methods that return results of a fit.
void add_results(ModelClass& model) {
  using namespace pybind11::literals;
  model
      .def("scores", [](const KernelPCA& self,
                        const std::string& dtype) { return to_numpy(self.scores(), precision_of_dtype(dtype)); })
      .def("dual_variables", [](const KernelPCA& self) { return to_numpy(self.dual_variables(), Precision::float64); })
      .def("row_weights", [](const KernelPCA& self) { return to_numpy(self.row_weights()); })
      .def("support", [](const KernelPCA& self) { return to_numpy(self.support()); })
      .def("training_statistics",
           [](const KernelPCA& self) {
             const RowStatistics statistics = self.training_statistics();
             return py::make_tuple(to_numpy(statistics.t2), to_numpy(statistics.spe));
           })
      .def("inverse",
           [](const KernelPCA& self) {
             const PreimageReport& report = *self.inverse_report();
             return py::dict("method"_a = to_string(report.method), "compatibility"_a = to_string(report.compatibility),
                             "alpha"_a = report.alpha);
           })
      .def("training_rows", &training_rows)
      .def("training_row_indices", [](const KernelPCA& self) { return to_numpy(self.training_row_indices()); })
      .def("numbers", &numbers_of)
      .def("keywords", [](const KernelPCA& self) { return keywords_from(self.params()); })
      .def("inverse_coefficients",
           [](const KernelPCA& self) { return to_numpy(self.inverse_coefficients(), Precision::float64); })
      .def("has_inverse", [](const KernelPCA& self) { return self.inverse_report() != nullptr; })
      .def("report_json", [](const KernelPCA& self) { return report_json(self); })
      .def("summary", [](const KernelPCA& self) { return summary_text(self); });
}

// Adds the methods for copies, files and bytes.
void add_storage(ModelClass& model) {
  model
      .def_static(
          "from_model", [](const KernelPCA& other) { return other; }, "Returns a copy, which shares the fitted model.")
      .def("save",
           [](const KernelPCA& self, const std::string& path) {
             const py::gil_scoped_release release;
             self.save(path);
           })
      .def_static("load",
                  [](const std::string& path) {
                    const py::gil_scoped_release release;
                    return KernelPCA::load(path);
                  })
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes);
}

}  // namespace
}  // namespace dualkpca::python

PYBIND11_MODULE(_core, m) {
  using namespace dualkpca;          // NOLINT: the module is about nothing else
  using namespace dualkpca::python;  // NOLINT

  m.attr("__version__") = DUALKPCA_VERSION;
  py::register_exception_translator(
      [](std::exception_ptr error) { translate(error); }  // NOLINT: pybind11 hands it over by value
  );
  m.def("blas_threads", &blas_threads, "Returns the number of threads of BLAS, or 0 if it is unknown.");
  m.def("threads", &resolve_threads, "Returns the number of threads that a request for so many gives.");
  m.def("format_bytes", &format_bytes);
  m.def("fit_fields", &fit_fields, "Returns the parameters of a fit, with the option of the command for each.");

  ModelClass model(m, "Model", "A fitted or unfitted kernel PCA of the C++ library.");
  add_methods(model);
  add_results(model);
  add_storage(model);
}
