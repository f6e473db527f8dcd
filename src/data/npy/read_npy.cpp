#include <cstdint>
#include <memory>

#include "data/io/input_file.hpp"
#include "data/io/memory_check.hpp"
#include "data/io/text.hpp"
#include "data/npy/npy_header.hpp"
#include "data/npy/npy_items.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

Dataset read_npy(const std::string& path, std::size_t memory) {
  const std::string shown_path = printable_path(path);
  const auto file = std::make_shared<const InputFile>(path);
  const NpyHeader header = parse_npy_header(file->bytes(), shown_path);
  const NpyItems items = find_items(header, shown_path);
  require_matrix(header, shown_path);
  require_data(header, items, file->bytes().size() - header.data_offset, shown_path);

  const Index rows = header.shape[0], cols = header.shape[1];
  const Index row_stride = header.fortran_order ? 1 : cols, col_stride = header.fortran_order ? rows : 1;
  const char* data = file->bytes().data() + header.data_offset;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(data) % items.bytes == 0;
  if (const auto precision = items.as_stored(); precision && is_aligned)
    return {.samples = Samples(file, SamplesView(data, *precision, rows, cols, row_stride, col_stride))};
  require_memory(shown_path, rows, cols, sizeof(double), memory);
  const auto count = static_cast<std::size_t>(rows * cols);
  const auto numbers = std::make_shared_for_overwrite<double[]>(count);
  items.convert(data, count, numbers.get());
  const SamplesView view(numbers.get(), Precision::float64, rows, cols, row_stride, col_stride);
  return {.samples = Samples(numbers, view), .bytes = count * sizeof(double)};
}

}  // namespace dualkpca
