#include "dualkpca/gram/centered.hpp"

#include "core/tall_matrix.hpp"

namespace dualkpca {
namespace {

using RowVector = Eigen::RowVectorXd;

RowVector column_means(ConstMatrixRef V) { return column_sums(V) / static_cast<double>(V.rows()); }

}  // namespace

void CenteredGram::apply(ConstMatrixRef V, MatrixRef GV) const {
  const Index n = size(), w = V.cols();
  const bool first = row_means_.size() == 0;
  centred_.resize(n, w + (first ? 1 : 0));
  const RowVector mean = column_means(V);
  for (Index i = 0; i < n; ++i) centred_.row(i).head(w) = V.row(i) - mean;
  if (first) {
    centred_.col(w).setConstant(1.0 / static_cast<double>(n));
    Matrix product(n, w + 1);
    base().apply(centred_, product);
    row_means_ = product.col(w);
    GV = product.leftCols(w);
  } else {
    base().apply(centred_, GV);
  }
  const RowVector product_mean = column_means(GV);
  for (Index i = 0; i < n; ++i) GV.row(i) -= product_mean;
}

const Vector& CenteredGram::row_means() const {
  if (row_means_.size() == 0) {
    Matrix product(size(), 1);
    base().apply(Matrix::Constant(size(), 1, 1.0 / static_cast<double>(size())), product);
    row_means_ = product.col(0);
  }
  return row_means_;
}

Vector CenteredGram::diagonal() const {
  const Vector& m = row_means();
  return (base().diagonal() - 2 * m).array() + m.mean();
}

void CenteredGram::columns(std::span<const Index> indices, MatrixRef out) const {
  const Vector& m = row_means();
  base().columns(indices, out);
  for (std::size_t c = 0; c < indices.size(); ++c)
    out.col(static_cast<Index>(c)).array() += m.mean() - m[indices[c]] - m.array();
}

void CenteredGram::exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const {
  const Vector& m = row_means();
  base().exact_block(rows, columns, out);
  const double mean = m.mean();
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c)
      out(static_cast<Index>(r), static_cast<Index>(c)) += mean - m[rows[r]] - m[columns[c]];
}

}  // namespace dualkpca
