#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "dualkpca/data/samples.hpp"

namespace dualkpca::python {

namespace py = pybind11;

/// Rows that came from Python, seen without a copy where numpy's layout is one that samples can have: any strides of
/// float32 or float64, and the arrays of a CSR matrix. Keeps the Python objects alive.
class InputRows {
 public:
  /// A two-dimensional array, or the tuple (data, indices, indptr, shape) of a CSR matrix with sorted indices.
  explicit InputRows(const py::object& X);
  [[nodiscard]] const SamplesView& view() const { return view_; }

 private:
  void take_dense(py::array X);
  void take_sparse(const py::tuple& csr);

  std::vector<py::object> alive_{};
  std::vector<Index> offsets_{};
  SamplesView view_{};
};

/// A numpy array that takes over the memory, or a float32 copy.
[[nodiscard]] py::array to_numpy(Matrix&& A, Precision precision);
[[nodiscard]] py::array to_numpy(const Matrix& A, Precision precision);
[[nodiscard]] py::array to_numpy(const Vector& v);
[[nodiscard]] py::array to_numpy(const std::vector<Index>& v);

/// What np.dtype calls the width.
[[nodiscard]] Precision precision_of_dtype(const std::string& dtype);

}  // namespace dualkpca::python
