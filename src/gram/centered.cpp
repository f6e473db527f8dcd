#include "dualkpca/gram/centered.hpp"

namespace dualkpca {

CenteredGram::CenteredGram(std::unique_ptr<GramOperator> base) : base_(std::move(base)) {}

void CenteredGram::apply(ConstMatrixRef V, MatrixRef GV) const {
  const Index n = size(), w = V.cols();
  const bool first = row_means_.size() == 0;
  Matrix centred(n, w + (first ? 1 : 0));
  centred.leftCols(w) = V.rowwise() - V.colwise().mean();
  if (first) {
    centred.col(w).setConstant(1.0 / static_cast<double>(n));
    Matrix product(n, w + 1);
    base_->apply(centred, product);
    row_means_ = product.col(w);
    GV = product.leftCols(w);
  } else {
    base_->apply(centred, GV);
  }
  GV.rowwise() -= GV.colwise().mean().eval();
}

const Vector& CenteredGram::row_means() const {
  if (row_means_.size() == 0) {
    Matrix product(size(), 1);
    base_->apply(Matrix::Constant(size(), 1, 1.0 / static_cast<double>(size())), product);
    row_means_ = product.col(0);
  }
  return row_means_;
}

Vector CenteredGram::diagonal() const {
  const Vector& m = row_means();
  return (base_->diagonal() - 2 * m).array() + m.mean();
}

void CenteredGram::columns(std::span<const Index> indices, MatrixRef out) const {
  const Vector& m = row_means();
  base_->columns(indices, out);
  for (std::size_t c = 0; c < indices.size(); ++c)
    out.col(static_cast<Index>(c)).array() += m.mean() - m[indices[c]] - m.array();
}

void CenteredGram::exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const {
  const Vector& m = row_means();
  base_->exact_block(rows, columns, out);
  const double mean = m.mean();
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c)
      out(static_cast<Index>(r), static_cast<Index>(c)) += mean - m[rows[r]] - m[columns[c]];
}

}  // namespace dualkpca
