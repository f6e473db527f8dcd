// Stand-ins for what is being written elsewhere; to be deleted when that arrives.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "data/byte_source.hpp"
#include "data/file_format.hpp"
#include "data/input_file.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"

namespace dualkpca {

struct ByteSource::State {
  int descriptor;
  std::string name;
};

ByteSource::ByteSource(const std::string& path) : state_(std::make_unique<State>()) {
  state_->name = path == "-" ? "standard input" : path;
  state_->descriptor = path == "-" ? ::dup(0) : ::open(path.c_str(), O_RDONLY);
  if (state_->descriptor < 0)
    throw DataError(fmt::format("{}: cannot be read: {}", path, std::generic_category().message(errno)));
}
ByteSource::~ByteSource() { ::close(state_->descriptor); }
std::size_t ByteSource::read(char* out, std::size_t count) {
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::read(state_->descriptor, out + have, count - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError(fmt::format("{}: cannot be read", state_->name));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}
double ByteSource::fraction() const { return -1; }
bool ByteSource::is_compressed() const { return false; }
const std::string& ByteSource::name() const { return state_->name; }

namespace {

class OneBlock : public DataStream {
 public:
  explicit OneBlock(Dataset data) : data_(std::move(data)) {}
  [[nodiscard]] Index rows() const override { return -1; }
  [[nodiscard]] Index cols() const override { return data_.samples.view().cols(); }
  [[nodiscard]] bool is_sparse() const override { return false; }
  [[nodiscard]] const std::vector<std::string>& feature_names() const override { return data_.feature_names; }
  [[nodiscard]] Dataset next(Index most) override {
    const Index count = std::min(most, data_.samples.view().rows() - done_);
    if (count == 0) return {};
    Dataset block;
    block.samples = Samples(std::make_shared<Samples>(data_.samples), data_.samples.view().slice(done_, count));
    const auto part = [&](const std::vector<std::string>& all) {
      return all.empty() ? all : std::vector<std::string>(all.begin() + done_, all.begin() + done_ + count);
    };
    block.ids = part(data_.ids);
    block.labels = part(data_.labels);
    done_ += count;
    return block;
  }

 private:
  Dataset data_;
  Index done_ = 0;
};

}  // namespace

std::unique_ptr<DataStream> open_dataset(const std::string& path, const ReadOptions& options) {
  const std::string file = split_member_path(path).file;
  if (file != "-") require_file(file);
  const auto ends = [&](const char* end) { return file.ends_with(end); };
  if (options.format == FileFormat::npy || (!options.format && ends(".npy"))) return open_npy(path, options);
  if (options.format == FileFormat::npz || (!options.format && ends(".npz"))) return open_npz(path, options);
  if (options.format == FileFormat::h5 || (!options.format && (ends(".h5") || ends(".h5ad") || ends(".hdf5"))))
    return open_hdf5(path, options);
  return std::make_unique<OneBlock>(read_dataset(path, options));
}

}  // namespace dualkpca
