#pragma once

#include <functional>
#include <memory>

#include "data/io/input_file.hpp"
#include "data/npy/npy_header.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// What an NPY array is read from once, from the front.
struct NpyBytes {
  ReadBytes read{};
  std::function<void()> finish{};  ///< called before the last rows are given away, to check what can be checked then
  std::size_t present = 0;         ///< bytes there are said to be, the header included; 0: not known
};

/// The rows of an NPY array. `name` is for messages. An array in Fortran order is kept whole.
[[nodiscard]] std::unique_ptr<DataStream> stream_npy(NpyBytes bytes, const std::string& name, const Observer& observe);

/// The rows of an NPY array, in C or Fortran order, that begins at byte `begin` of the open file and has `present`
/// bytes.
[[nodiscard]] std::unique_ptr<DataStream> stream_npy_file(const std::shared_ptr<const OpenFile>& file,
                                                          std::size_t begin, std::size_t present,
                                                          const std::string& name, const Observer& observe);

}  // namespace dualkpca
