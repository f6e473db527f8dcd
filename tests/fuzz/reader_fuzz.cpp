// Fuzz target of the readers of every format except HDF5. The first two bytes of an input choose:
//   byte 0, bits 0-2   the format: csv, tsv, npy, npz, libsvm, mtx, csv, tsv
//   byte 0, bits 3-4   nothing, gzip, bzip2 or an archive around the bytes (packing.hpp)
//   byte 1, bits 0-1   the label column: none, the first, the last of three, "label"
//   byte 1, bits 2-3   the id column: none, the first, the last of three, "id"
//   byte 1, bits 4-5   the columns of a LIBSVM file: from the file, 1, 3, or the largest accepted number
//   byte 1, bits 6-7   rows of a block: 1, 2, 7, 1000
#include <cstdint>
#include <limits>

#include "memory_file.hpp"
#include "packing.hpp"
#include "read_both_ways.hpp"
#include "targets.hpp"

namespace dualkpca::fuzz {
namespace reader_fuzz {

constexpr FileFormat formats[] = {FileFormat::csv,    FileFormat::tsv, FileFormat::npy, FileFormat::npz,
                                  FileFormat::libsvm, FileFormat::mtx, FileFormat::csv, FileFormat::tsv};
constexpr Index widths[] = {0, 1, 3, std::numeric_limits<std::int32_t>::max()};
constexpr Index blocks[] = {1, 2, 7, 1000};

std::string wrap(unsigned int way, std::string_view bytes) {
  switch (way) {
    case 1: return gzip(bytes);
    case 2: return bzip2(bytes);
    case 3: return zip(bytes);
    default: return std::string(bytes);
  }
}

std::optional<std::string> column(unsigned int way, const char* name) {
  if (way == 0) return {};
  return way == 1 ? "1" : way == 2 ? "3" : name;
}

}  // namespace reader_fuzz

void try_reader(std::string_view bytes) {
  using namespace reader_fuzz;
  if (bytes.size() < 2) return;
  const auto first = static_cast<unsigned char>(bytes[0]), second = static_cast<unsigned char>(bytes[1]);
  ReadOptions options;
  options.format = formats[first & 7u];
  options.threads = 1;
  const bool has_columns = *options.format == FileFormat::csv || *options.format == FileFormat::tsv;
  if (has_columns) options.label_col = column(second & 3u, "label");
  if (has_columns) options.id_col = column((second >> 2) & 3u, "id");
  options.n_features = widths[(second >> 4) & 3u];
  const MemoryFile file(wrap((first >> 3) & 3u, bytes.substr(2)));
  read_both_ways(file.path(), options, blocks[second >> 6]);
}

}  // namespace dualkpca::fuzz
