// The Python module `comparison`: robust and sparse kernel PCA of others, of a Gram matrix G as a float64 array.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "baselines/comparison.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"
#include "dualkpca/data/samples.hpp"
#include "dualkpca/gram/stored.hpp"

namespace dualkpca::baselines {
namespace {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::array to_numpy(const Matrix& M) { return py::array_t<double>({M.rows(), M.cols()}, M.data()); }

// Runs method(gram) without the GIL. The array is kept by the caller.
template <class Method>
auto with_gram(const Array& G, int threads, const Method& method) {
  if (G.ndim() != 2) throw DataError("G must be a two-dimensional array");
  if (!Eigen::Map<const Matrix>(G.data(), G.shape(0), G.shape(1)).allFinite())
    throw DataError("G has entries that are not finite");
  const SamplesView K(G.data(), G.shape(0), G.shape(1));
  const py::gil_scoped_release release;
  const auto gram = make_precomputed_gram(K, Precision::float64, resolve_threads(threads));
  return method(*gram);
}

py::dict call_l1_kpca(const Array& G, Index s, Index max_iter, int threads) {
  const auto result =
      with_gram(G, threads, [&](const GramOperator& gram) { return l1_kpca(gram, s, {.max_iter = max_iter}); });
  Index iterations = 0;
  for (const Index count : result.iterations) iterations += count;
  using namespace py::literals;
  return py::dict("A"_a = to_numpy(result.A), "scores"_a = to_numpy(result.scores), "objective"_a = result.objective,
                  "iterations"_a = iterations, "component_iterations"_a = result.iterations,
                  "converged"_a = result.converged);
}

py::dict call_l21_rkpca(const Array& G, Index s, double lam, double mu, Index max_iter, double tol, int threads) {
  const L21RkpcaParams params{.lambda = lam, .mu = mu, .max_iter = max_iter, .tol = tol};
  const auto result = with_gram(G, threads, [&](const GramOperator& gram) { return l21_rkpca(gram, s, params); });
  using namespace py::literals;
  return py::dict("A"_a = to_numpy(result.A), "scores"_a = to_numpy(result.scores), "objective"_a = result.objective,
                  "best_objective"_a = result.best_objective, "residual_e"_a = result.residual_e,
                  "residual_c"_a = result.residual_c, "iterations"_a = result.iterations,
                  "converged"_a = result.converged);
}

using SparseMethod = SparseKpcaResult (*)(const GramOperator& gram, Index s, const SparseKpcaParams& params);

template <SparseMethod method>
py::dict call_sparse(const Array& G, Index s, const std::optional<double>& sparsity, double lambda1, double lambda2,
                     double tol, Index max_outer, Index max_inner, int threads) {
  const SparseKpcaParams params{.lambda1 = lambda1,
                                .lambda2 = lambda2,
                                .sparsity = sparsity,
                                .tol = tol,
                                .max_outer = max_outer,
                                .max_inner = max_inner};
  const auto result = with_gram(G, threads, [&](const GramOperator& gram) { return method(gram, s, params); });
  using namespace py::literals;
  return py::dict("A"_a = to_numpy(result.B), "scores"_a = to_numpy(result.scores), "objective"_a = result.objective,
                  "iterations"_a = result.iterations, "products"_a = result.products, "lambda1"_a = result.lambda1,
                  "sparsity"_a = result.sparsity, "converged"_a = result.converged);
}

double call_explained(const Array& G, const Array& A, int threads) {
  if (A.ndim() != 2) throw DataError("A must be a two-dimensional array");
  const Matrix B = Eigen::Map<const Matrix>(A.data(), A.shape(0), A.shape(1));
  return with_gram(G, threads, [&](const GramOperator& gram) { return explained(gram, B); });
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
  }
}

template <SparseMethod method>
void define_sparse(py::module_& m, const char* name, const char* text) {
  using namespace py::literals;
  m.def(name, &call_sparse<method>, text, "G"_a, "s"_a, py::kw_only(), "sparsity"_a = py::none(), "lambda1"_a = 0.0,
        "lambda2"_a = 1e-3, "tol"_a = 1e-4, "max_outer"_a = 200, "max_inner"_a = 20, "threads"_a = 0);
}

}  // namespace
}  // namespace dualkpca::baselines

PYBIND11_MODULE(comparison, m) {
  using namespace dualkpca::baselines;  // NOLINT: the module is about nothing else
  using namespace pybind11::literals;

  m.doc() = "Robust and sparse kernel PCA to compare with. G: n x n, symmetric, centred or not; A: n x s coefficients.";
  py::register_exception_translator(
      [](std::exception_ptr error) { translate(error); }  // NOLINT: pybind11 hands it over by value
  );
  m.def("l1_kpca", &call_l1_kpca, "L1-norm kernel PCA (Kim and Klabjan 2020). A'GA = I.", "G"_a, "s"_a, py::kw_only(),
        "max_iter"_a = 1000, "threads"_a = 0);
  m.def("l21_rkpca", &call_l21_rkpca, "Robust kernel PCA with l2,1 norms, a reconstruction. A'GA = I.", "G"_a, "s"_a,
        "lam"_a = 0.1, py::kw_only(), "mu"_a = 0.01, "max_iter"_a = 500, "tol"_a = 1e-5, "threads"_a = 0);
  define_sparse<skpca>(m, "skpca",
                       "Elastic net on G^(1/2), a reconstruction. Columns of A have a'Ga = 1, or are zero.");
  define_sparse<sskpca>(m, "sskpca", "The same one component after the other, a reconstruction.");
  m.def("explained", &call_explained, "tr((A'GA)^+ A'G^2 A): tr G less this is the squared reconstruction error.",
        "G"_a, "A"_a, py::kw_only(), "threads"_a = 0);
}
