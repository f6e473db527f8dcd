// Fuzz target of the HDF5 reader. The first byte of an input chooses the rows of a block and the member; the rest is
// the file.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "read_both_ways.hpp"
#include "targets.hpp"

namespace dualkpca::fuzz {
namespace hdf5_fuzz {

constexpr Index blocks[] = {1, 2, 7, 1000};
constexpr const char* members[] = {"", ":/X", ":/group/X", ":/missing"};

// A file in a folder, because libhdf5 cannot open a file that has only a descriptor.
class TempFile {
 public:
  explicit TempFile(std::string_view bytes)
      : path_((std::filesystem::temp_directory_path() / "dualkpca-fuzz-XXXXXX").string()) {
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) throw std::runtime_error("cannot create " + path_);
    ::close(descriptor);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace hdf5_fuzz

void try_hdf5(std::string_view bytes) {
  using namespace hdf5_fuzz;
  if (bytes.empty()) return;
  const auto first = static_cast<unsigned char>(bytes[0]);
  ReadOptions options;
  options.format = FileFormat::h5;
  options.threads = 1;
  const TempFile file(bytes.substr(1));
  read_both_ways(file.path() + members[(first >> 2) & 3u], options, blocks[first & 3u]);
}

}  // namespace dualkpca::fuzz
