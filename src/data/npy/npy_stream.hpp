#pragma once

#include <functional>
#include <memory>

#include "data/io/input_file.hpp"
#include "data/npy/npy_header.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// Source of an NPY array that is read once, from its front.
struct NpyBytes {
  ReadBytes read{};
  std::function<void()> finish{};  ///< last check, called before the last rows are given out
  std::size_t present = 0;         ///< declared number of bytes, including the header; 0: not known
};

/// Returns the rows of an NPY array. `name` is for messages. An array in Fortran order is kept in memory as a whole.
[[nodiscard]] std::unique_ptr<DataStream> stream_npy(NpyBytes bytes, const std::string& name, const Observer& observe);

/// Returns the rows of an NPY array, in C or Fortran order, that begins at byte `begin` of the open file and has
/// `present` bytes.
[[nodiscard]] std::unique_ptr<DataStream> stream_npy_file(const std::shared_ptr<const OpenFile>& file,
                                                          std::size_t begin, std::size_t present,
                                                          const std::string& name, const Observer& observe);

}  // namespace dualkpca
