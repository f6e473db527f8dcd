#include "arrays.hpp"

#include <fmt/format.h>

#include "dualkpca/core/errors.hpp"

namespace dualkpca::python {
namespace {

using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool is_float(const py::array& X) {
  return py::isinstance<py::array_t<float>>(X) || py::isinstance<py::array_t<double>>(X);
}

Precision precision_of_array(const py::array& X) {
  return X.itemsize() == sizeof(float) ? Precision::float32 : Precision::float64;
}

// Returns true if samples can have the layout: aligned addresses and strides of whole elements.
bool is_viewable(const py::array& X) {
  const auto aligned = [&](std::intptr_t bytes) { return bytes % X.itemsize() == 0; };
  return aligned(X.strides(0)) && aligned(X.strides(1)) && aligned(reinterpret_cast<std::intptr_t>(X.data()));
}

}  // namespace

InputRows::InputRows(const py::object& X) {
  if (py::isinstance<py::tuple>(X))
    take_sparse(X.cast<py::tuple>());
  else
    take_dense(py::array::ensure(X));
}

void InputRows::take_dense(py::array X) {
  if (!X || X.ndim() != 2 || !is_float(X)) throw DataError("the data must be a two-dimensional array of floats");
  if (!is_viewable(X)) X = X.attr("copy")("C");
  const auto stride = [&](int axis) { return static_cast<Index>(X.strides(axis) / X.itemsize()); };
  view_ = SamplesView(X.data(), precision_of_array(X), X.shape(0), X.shape(1), stride(0), stride(1));
  alive_.push_back(std::move(X));
}

void InputRows::take_sparse(const py::tuple& csr) {
  auto values = py::array::ensure(csr[0], py::array::c_style);
  const auto columns = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>::ensure(csr[1]);
  const auto offsets = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(csr[2]);
  const auto shape = csr[3].cast<std::pair<Index, Index>>();
  if (!values || !is_float(values) || !columns || !offsets || offsets.size() != shape.first + 1)
    throw DataError("the sparse data are not a CSR matrix of floats");
  offsets_.assign(offsets.data(), offsets.data() + offsets.size());
  const Index entries = offsets_.back();
  if (offsets_.front() != 0 || entries > values.size() || entries > columns.size())
    throw DataError("the sparse data are not a CSR matrix: their arrays contradict each other");
  if (precision_of_array(values) == Precision::float32)
    view_ = SparseRows<float>{offsets_.data(), columns.data(), static_cast<const float*>(values.data()), shape.first,
                              shape.second};
  else
    view_ = SparseRows<double>{offsets_.data(), columns.data(), static_cast<const double*>(values.data()), shape.first,
                               shape.second};
  alive_.push_back(std::move(values));
  alive_.push_back(columns);
}

py::array to_numpy(Matrix&& A, Precision precision) {
  if (precision == Precision::float32) return to_numpy(static_cast<const Matrix&>(A), precision);
  auto kept = std::make_unique<Matrix>(std::move(A));
  const py::capsule owner(kept.get(), [](void* matrix) { delete static_cast<Matrix*>(matrix); });
  Matrix* matrix = kept.release();
  return py::array_t<double>({matrix->rows(), matrix->cols()}, matrix->data(), owner);
}

py::array to_numpy(const Matrix& A, Precision precision) {
  if (precision == Precision::float64) return py::array_t<double>({A.rows(), A.cols()}, A.data());
  py::array_t<float> out({A.rows(), A.cols()});
  Eigen::Map<Floats>(out.mutable_data(), A.rows(), A.cols()) = A.cast<float>();
  return out;
}

py::array to_numpy(const Vector& v) { return py::array_t<double>(v.size(), v.data()); }

py::array to_numpy(const std::vector<Index>& v) {
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(v.size()), v.data());
}

Precision precision_of_dtype(const std::string& dtype) {
  return dtype == to_string(Precision::float32) ? Precision::float32 : Precision::float64;
}

}  // namespace dualkpca::python
