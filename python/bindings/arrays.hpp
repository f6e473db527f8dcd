#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "dualkpca/data/samples.hpp"

namespace dualkpca::python {

namespace py = pybind11;

/// View of rows that came from Python. It copies nothing if samples can have the layout: any aligned strides of float32
/// or float64, or the arrays of a CSR matrix. Keeps the Python objects alive.
class InputRows {
 public:
  /// Takes a two-dimensional array, or the tuple (data, indices, indptr, shape) of a CSR matrix with sorted indices.
  explicit InputRows(const py::object& X);
  [[nodiscard]] const SamplesView& view() const { return view_; }

 private:
  void take_dense(py::array X);
  void take_sparse(const py::tuple& csr);

  std::vector<py::object> alive_{};
  std::vector<Index> offsets_{};
  SamplesView view_{};
};

/// Returns a numpy array. The first overload hands over the memory of a float64 matrix; all others copy.
[[nodiscard]] py::array to_numpy(Matrix&& A, Precision precision);
[[nodiscard]] py::array to_numpy(const Matrix& A, Precision precision);
[[nodiscard]] py::array to_numpy(const Vector& v);
[[nodiscard]] py::array to_numpy(const std::vector<Index>& v);

/// Returns float32 for the dtype name "float32", otherwise float64.
[[nodiscard]] Precision precision_of_dtype(const std::string& dtype);

}  // namespace dualkpca::python
