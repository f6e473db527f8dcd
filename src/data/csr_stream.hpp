#pragma once

#include <memory>

#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// The three arrays of a compressed sparse matrix (CSR), each read once, from its front. All functions throw DataError.
class CsrSource {
 public:
  virtual ~CsrSource() = default;
  /// Reads the next `count` offsets. Numbers that no Index can hold become -1.
  virtual void read_offsets(std::size_t count, Index* out) = 0;
  virtual void read_columns(std::size_t count, Index* out) = 0;
  virtual void read_values(std::size_t count, float* out) = 0;
  virtual void read_values(std::size_t count, double* out) = 0;
  /// Called before the last rows are given away, to check what can be checked then.
  virtual void finish() {}
};

struct CsrShape {
  Index rows = 0, cols = 0, nonzeros = 0;
  Precision precision = Precision::float64;
};

/// Throws DataError unless a matrix can have this shape. -1 stands for a number that no Index can hold.
void require_csr_shape(Index rows, Index cols, const std::string& name);

/// Returns the rows, with their columns sorted and entries of the same column added up. `name` is for messages.
[[nodiscard]] std::unique_ptr<DataStream> stream_csr(std::unique_ptr<CsrSource> source, const CsrShape& shape,
                                                     const std::string& name, const Observer& observe);

}  // namespace dualkpca
