#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "data/streams.hpp"
#include "dualkpca/data/write.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::test {

inline Matrix random_matrix(Index rows, Index cols, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// Returns sparse rows with about every third entry; some rows are empty.
inline CsrMatrix random_sparse(Index rows, Index cols, unsigned seed = 1) {
  std::mt19937 random(seed);
  CsrMatrix X;
  X.cols = cols;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols && i % 5 != 0; ++j) {
      if (random() % 3 != 0) continue;
      X.columns.push_back(static_cast<std::int32_t>(j));
      X.values.push_back(static_cast<double>(random()) / 1e9);
    }
    X.offsets.push_back(static_cast<Index>(X.values.size()));
  }
  return X;
}

/// Writes a table in blocks of `step` rows and returns its path.
inline std::string write_table(const std::string& path, const SamplesView& X, TableLayout layout, Index step = 7) {
  layout.cols = X.cols();
  layout.sparse = X.is_sparse();
  const auto writer = make_table_writer(path, layout);
  for (Index first = 0; first < X.rows(); first += step)
    writer->write(X.slice(first, std::min(step, X.rows() - first)));
  writer->commit();
  return path;
}

/// Reads a stream in blocks of at most `most` rows and returns all rows. Checks the properties that every stream must
/// have.
inline Matrix read_stream(DataStream& stream, Index most, Precision precision = Precision::float64) {
  Matrix all(0, stream.cols());
  for (;;) {
    const Dataset block = stream.next(most);
    const SamplesView& X = block.samples.view();
    if (X.rows() == 0) break;
    EXPECT_LE(X.rows(), most);
    EXPECT_EQ(X.cols(), stream.cols());
    EXPECT_EQ(X.is_sparse(), stream.is_sparse());
    EXPECT_EQ(X.precision(), precision);
    X.require_finite("block");
    all.conservativeResize(all.rows() + X.rows(), stream.cols());
    for (Index i = 0; i < X.rows(); ++i) X.copy_row(i, all.row(all.rows() - X.rows() + i).data());
  }
  EXPECT_EQ(stream.rows(), all.rows());
  EXPECT_EQ(stream.next(most).samples.view().rows(), 0);
  return all;
}

inline Matrix dense_copy(const SamplesView& X) {
  Matrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) X.copy_row(i, out.row(i).data());
  return out;
}

using OpenStream = std::unique_ptr<DataStream> (*)(const std::string& path, const ReadOptions& options);

/// Checks that a file gives the rows of X, dense or sparse like X, for several block sizes.
inline void expect_rows(OpenStream open, const std::string& path, const SamplesView& X) {
  for (const Index most : {1, 7, 100, 1000}) {
    const auto stream = open(path, {});
    EXPECT_EQ(stream->is_sparse(), X.is_sparse());
    EXPECT_EQ(read_stream(*stream, most), dense_copy(X));
  }
}

/// Returns the message of the DataError that opening a file, or reading it to its end, throws.
inline std::string refusal_of(OpenStream open, const std::string& path) {
  return message_of<DataError>([&] {
    const auto stream = open(path, {});
    while (stream->next(1000).samples.view().rows() > 0) {
    }
  });
}

}  // namespace dualkpca::test
