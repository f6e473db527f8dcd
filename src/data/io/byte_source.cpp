#include "data/io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "data/io/decoder.hpp"
#include "data/io/input_file.hpp"
#include "data/io/read_progress.hpp"
#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

struct ByteSource::State {
  State(const std::string& path, Observer observer);
  ~State() {
    if (descriptor > STDERR_FILENO) ::close(descriptor);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail(const std::string& what) const { throw DataError(fmt::format("{}: {}", name, what)); }
  void wait_for_pipe() const;
  [[nodiscard]] std::size_t read_file(char* out, std::size_t count);
  bool fill(std::size_t least);
  [[nodiscard]] std::size_t decode(char* out, std::size_t count);
  [[nodiscard]] bool next_piece();
  [[nodiscard]] std::string_view waiting() const { return {buffer.data() + begin, end - begin}; }

  std::string name;
  Observer observe;
  int descriptor = -1;
  std::size_t file_bytes = 0;  ///< 0: not known
  std::size_t bytes_read = 0;  ///< bytes of the file that were read, including those in the buffer
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 18);
  std::size_t begin = 0, end = 0;  ///< part of the buffer that was not taken yet
  std::unique_ptr<Decoder> decoder{};
  bool decoded = false;  ///< the last compressed piece has ended
};

ByteSource::State::State(const std::string& path, Observer observer)
    : name(shown_path(path)), observe(std::move(observer)) {
  descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) throw_unreadable(name, errno);
  if (S_ISREG(status.st_mode)) file_bytes = static_cast<std::size_t>(status.st_size);
}

// Waits until a pipe has bytes. The observer is asked now and then, because a silent pipe must not keep it from
// stopping. A signal does not always end poll(): it may come just before, or be delivered to another thread.
void ByteSource::State::wait_for_pipe() const {
  constexpr int milliseconds = 100;
  pollfd pipe{descriptor, POLLIN, 0};
  for (;;) {
    const int ready = ::poll(&pipe, 1, milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
    report_read(observe, 0, 1, name);
  }
}

std::size_t ByteSource::State::read_file(char* out, std::size_t count) {
  for (;;) {
    if (file_bytes == 0) wait_for_pipe();
    const ssize_t got = ::read(descriptor, out, count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_unreadable(name, errno);
    bytes_read += static_cast<std::size_t>(got);
    return static_cast<std::size_t>(got);
  }
}

// Reads until the buffer has at least `least` bytes. Returns false if the file ends before.
bool ByteSource::State::fill(std::size_t least) {
  if (end - begin >= least) return true;
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  while (end < least) {
    const std::size_t got = read_file(buffer.data() + end, buffer.size() - end);
    if (got == 0) return false;
    end += got;
  }
  return true;
}

// Returns whether another compressed piece follows. Zeros after the last one are padding, as tapes and disks leave it.
bool ByteSource::State::next_piece() {
  while (fill(1)) {
    const std::size_t zeros = std::min(waiting().find_first_not_of('\0'), end - begin);
    begin += zeros;
    if (zeros == 0) break;
  }
  if (begin == end) return false;
  fill(decoder->magic().size());
  if (!waiting().starts_with(decoder->magic()))
    fail(fmt::format("the {} data are followed by other bytes", decoder->name()));
  decoder->restart();
  return true;
}

std::size_t ByteSource::State::decode(char* out, std::size_t count) {
  std::size_t given = 0;
  while (given < count && !decoded) {
    const bool has_input = fill(1);
    const Decoder::Step step = decoder->decode(waiting(), out + given, count - given);
    begin += step.taken;
    given += step.given;
    if (step.state == Decoder::State::damaged) fail(fmt::format("the {} data are damaged", decoder->name()));
    if (step.state == Decoder::State::ended)
      decoded = !next_piece();
    else if (!has_input && step.given == 0)
      fail(fmt::format("the {} data are cut short", decoder->name()));
  }
  return given;
}

ByteSource::ByteSource(const std::string& path, Observer observe)
    : state_(std::make_unique<State>(path, std::move(observe))) {
  state_->fill(decoder_magic_bytes);
  state_->decoder = make_decoder(state_->waiting());
}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(char* out, std::size_t count) {
  State& state = *state_;
  if (state.decoder) return state.decode(out, count);
  std::size_t given = std::min(count, state.end - state.begin);
  std::memcpy(out, state.buffer.data() + state.begin, given);
  state.begin += given;
  while (given < count) {
    const std::size_t got = state.read_file(out + given, count - given);
    if (got == 0) break;
    given += got;
  }
  return given;
}

double ByteSource::fraction() const {
  if (state_->file_bytes == 0) return -1;
  const auto used = static_cast<double>(state_->bytes_read - (state_->end - state_->begin));
  return std::min(1.0, used / static_cast<double>(state_->file_bytes));
}

bool ByteSource::is_compressed() const { return state_->decoder != nullptr; }
const std::string& ByteSource::name() const { return state_->name; }

}  // namespace dualkpca
