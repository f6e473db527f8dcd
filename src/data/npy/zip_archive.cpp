#include "data/npy/zip_archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string_view>
#include <system_error>

#include "data/io/text.hpp"
#include "data/npy/zip_format.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Sizes of records, from PKWARE's APPNOTE.TXT 6.3.
constexpr std::size_t end_bytes = 22, locator_bytes = 20, end64_bytes = 56, record_bytes = 46, local_bytes = 30;
constexpr std::size_t longest_comment = 0xffff;
constexpr std::uint64_t largest_directory = std::uint64_t{64} << 20;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::size_t read_at(int file, char* out, std::size_t count, std::uint64_t at, const std::string& shown) {
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got = ::pread(file, out + have, count - have, static_cast<off_t>(at + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError(fmt::format("{}: cannot be read: {}", shown, std::generic_category().message(errno)));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

int open_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    throw DataError(
        fmt::format("{}: cannot be read: {}", printable(path, 300), std::generic_category().message(errno)));
  return file;
}

class DirectoryReader {
 public:
  explicit DirectoryReader(const std::string& path) : shown_(printable(path, 300)), file_(open_file(path)) {
    struct stat status {};
    ::fstat(file_, &status);
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~DirectoryReader() { ::close(file_); }
  DirectoryReader(const DirectoryReader&) = delete;
  DirectoryReader& operator=(const DirectoryReader&) = delete;

  std::vector<ZipEntry> read() {
    const std::string begin = bytes_at(0, std::min<std::uint64_t>(size_, 4));
    if (!begin.starts_with("PK"))
      throw DataError(fmt::format("{}: not an NPZ file: it begins with {}, not with PK as zip archives do", shown_,
                                  begin.empty() ? "nothing" : in_quotes(begin)));
    find_directory();
    if (directory_size_ > largest_directory || directory_at_ > end_at_ || directory_size_ > end_at_ - directory_at_)
      fail("its directory is not where its end says");
    return parse(bytes_at(directory_at_, directory_size_));
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(fmt::format("{}: the zip archive is cut short or damaged: {}", shown_, reason));
  }

  std::string bytes_at(std::uint64_t at, std::uint64_t count) const {
    std::string bytes(static_cast<std::size_t>(count), '\0');
    if (at > size_ || count > size_ - at || read_at(file_, bytes.data(), bytes.size(), at, shown_) < bytes.size())
      fail("a part of its directory is missing");
    return bytes;
  }

  // The end of the archive says where the directory is; a comment may follow it.
  void find_directory() {
    const std::uint64_t tail_size = std::min<std::uint64_t>(size_, end_bytes + longest_comment);
    const std::string tail = bytes_at(size_ - tail_size, tail_size);
    std::size_t at = tail.rfind(end_signature);
    while (at != std::string::npos &&
           (at + end_bytes > tail.size() || at + end_bytes + number(tail, at + 20, 2) > tail.size()))
      at = at == 0 ? std::string::npos : tail.rfind(end_signature, at - 1);
    if (at == std::string::npos) fail("the directory at its end is missing");
    end_at_ = size_ - tail_size + at;
    directory_size_ = number(tail, at + 12, 4);
    directory_at_ = number(tail, at + 16, 4);
    if (number(tail, at + 10, 2) == 0xffff || directory_size_ == see_extra || directory_at_ == see_extra)
      find_directory64();
  }

  void find_directory64() {
    if (end_at_ < locator_bytes) fail("the end of its directory is missing");
    const std::string locator = bytes_at(end_at_ - locator_bytes, locator_bytes);
    if (!locator.starts_with(locator_signature)) return;  // 65535 entries can be meant as they stand
    end_at_ = number(locator, 8, 8);
    const std::string end = bytes_at(end_at_, end64_bytes);
    if (!end.starts_with(end64_signature)) fail("the end of its directory is not where its locator says");
    directory_size_ = number(end, 40, 8);
    directory_at_ = number(end, 48, 8);
  }

  std::vector<ZipEntry> parse(std::string_view directory) const {
    std::vector<ZipEntry> entries;
    while (!directory.empty()) {
      if (directory.size() < record_bytes || !directory.starts_with(directory_signature))
        fail("its directory has something else between its entries");
      const std::size_t name_size = number(directory, 28, 2), extra_size = number(directory, 30, 2);
      const std::size_t whole = record_bytes + name_size + extra_size + number(directory, 32, 2);
      if (directory.size() < whole) fail("the last entry of its directory is incomplete");
      ZipEntry entry{.name = std::string(directory.substr(record_bytes, name_size)),
                     .bytes = number(directory, 24, 4),
                     .stored = number(directory, 20, 4),
                     .header_at = number(directory, 42, 4),
                     .checksum = static_cast<std::uint32_t>(number(directory, 16, 4)),
                     .method = static_cast<unsigned>(number(directory, 10, 2)),
                     .is_encrypted = (number(directory, 8, 2) & 1) != 0};
      widen(entry, directory.substr(record_bytes + name_size, extra_size));
      if (entry.header_at > size_ || entry.stored > size_ - entry.header_at)
        fail(fmt::format("{} reaches beyond its end", in_quotes(entry.name)));
      entries.push_back(entry);
      directory.remove_prefix(whole);
    }
    return entries;
  }

  // The extra field 1 has, in this order, those numbers that need 64 bits.
  static void widen(ZipEntry& entry, std::string_view extra) {
    while (extra.size() >= 4) {
      const std::size_t size = std::min<std::size_t>(number(extra, 2, 2), extra.size() - 4);
      std::string_view field = extra.substr(4, size);
      if (number(extra, 0, 2) == 1)
        for (std::uint64_t* value : {&entry.bytes, &entry.stored, &entry.header_at}) {
          if (*value != see_extra || field.size() < 8) continue;
          *value = number(field, 0, 8);
          field.remove_prefix(8);
        }
      extra.remove_prefix(4 + size);
    }
  }

  std::string shown_;
  int file_;
  std::uint64_t size_ = 0, end_at_ = 0, directory_at_ = 0, directory_size_ = 0;
};

}  // namespace

std::vector<ZipEntry> list_zip(const std::string& path) { return DirectoryReader(path).read(); }

ZipMember::ZipMember(const std::string& path, const ZipEntry& entry)
    : name_(fmt::format("{}: {}", printable(path, 300), printable(entry.name))), entry_(entry) {
  if (entry.is_encrypted) fail("is encrypted; accepted are archives without a password");
  if (entry.method != 0 && entry.method != 8)
    fail(fmt::format("is compressed with method {}; accepted are 0 (stored) and 8 (deflated), as numpy writes them",
                     entry.method));
  if (entry.is_stored() && entry.bytes != entry.stored)
    fail(fmt::format("the directory says {} bytes for what is stored in {}", entry.bytes, entry.stored));
  file_ = open_file(path);
  std::string header(local_bytes, '\0');
  const bool is_there = read_at(file_, header.data(), header.size(), entry.header_at, name_) == header.size() &&
                        header.starts_with(local_signature);
  if (!is_there) {
    ::close(file_);
    fail("the zip archive is damaged: the entry is not where its directory says");
  }
  data_at_ = entry.header_at + local_bytes + number(header, 26, 2) + number(header, 28, 2);
  if (entry.is_stored()) return;
  constexpr int no_header = -MAX_WBITS;
  inflating_ = inflateInit2(&inflater_, no_header) == Z_OK;
  if (inflating_) return;
  ::close(file_);
  throw std::bad_alloc();
}

ZipMember::~ZipMember() {
  if (inflating_) inflateEnd(&inflater_);
  ::close(file_);
}

std::size_t ZipMember::read(char* out, std::size_t count) {
  const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, entry_.bytes - given_));
  const std::size_t got = entry_.is_stored() ? read_stored(out, wanted) : inflate_more(out, wanted);
  if (got < wanted) fail(fmt::format("is cut short: {} bytes of it are missing", entry_.bytes - given_ - got));
  checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(out), got);
  given_ += got;
  return got;
}

std::size_t ZipMember::read_stored(char* out, std::size_t count) {
  const std::size_t got = read_at(file_, out, count, data_at_ + taken_, name_);
  taken_ += got;
  return got;
}

std::size_t ZipMember::inflate_more(char* out, std::size_t count) {
  constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in unsigned
  constexpr std::size_t input_bytes = std::size_t{1} << 16;
  std::size_t have = 0;
  while (have < count) {
    if (inflater_.avail_in == 0) {
      input_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(input_bytes, entry_.stored - taken_)));
      input_.resize(read_at(file_, input_.data(), input_.size(), data_at_ + taken_, name_));
      if (input_.empty()) break;
      taken_ += input_.size();
      inflater_.next_in = reinterpret_cast<Bytef*>(input_.data());
      inflater_.avail_in = static_cast<uInt>(input_.size());
    }
    const std::size_t room = std::min(count - have, most);
    inflater_.next_out = reinterpret_cast<Bytef*>(out + have);
    inflater_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&inflater_, Z_NO_FLUSH);
    have += room - inflater_.avail_out;
    if (status == Z_STREAM_END) break;
    if (status != Z_OK && status != Z_BUF_ERROR) fail("the compressed data are damaged");
  }
  return have;
}

void ZipMember::finish() {
  std::vector<char> rest(std::size_t{1} << 16);
  while (read(rest.data(), rest.size()) == rest.size()) {
  }
  if (checksum_ != entry_.checksum) fail("the checksum is wrong: the data are damaged");
}

void ZipMember::fail(const std::string& reason) const { throw DataError(fmt::format("{}: {}", name_, reason)); }

}  // namespace dualkpca
