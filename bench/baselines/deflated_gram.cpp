#include "baselines/deflated_gram.hpp"

#include <vector>

#include "core/tall_matrix.hpp"

namespace dualkpca::baselines {

void DeflatedGram::apply(ConstMatrixRef V, MatrixRef GV) const {
  base_.apply(V, GV);
  if (count_ > 0) add_times(GV, scores(), inner(scores(), V), -1.0, 1.0);
}

Vector DeflatedGram::diagonal() const { return base_.diagonal() - scores().rowwise().squaredNorm(); }

void DeflatedGram::columns(std::span<const Index> indices, MatrixRef out) const {
  base_.columns(indices, out);
  const std::vector<Index> chosen(indices.begin(), indices.end());
  const Matrix rows = scores()(chosen, Eigen::all).transpose();
  if (count_ > 0) add_times(out, scores(), rows, -1.0, 1.0);
}

void DeflatedGram::exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const {
  base_.exact_block(rows, columns, out);
  const std::vector<Index> row_list(rows.begin(), rows.end()), column_list(columns.begin(), columns.end());
  out -= scores()(row_list, Eigen::all) * scores()(column_list, Eigen::all).transpose();
}

}  // namespace dualkpca::baselines
