#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "data/io/input_file.hpp"
#include "data/io/text.hpp"
#include "data/npy/zip_archive.hpp"
#include "data/npy/zip_format.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Sizes of records, from PKWARE's APPNOTE.TXT 6.3.
constexpr std::size_t end_bytes = 22, locator_bytes = 20, end64_bytes = 56, record_bytes = 46;
constexpr std::size_t longest_comment = 0xffff;
constexpr std::uint64_t largest_directory = std::uint64_t{64} << 20;

class DirectoryReader {
 public:
  explicit DirectoryReader(const std::string& path) : shown_(printable_path(path)), file_(path), size_(file_.bytes()) {}

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
    if (at > size_ || count > size_ - at || file_.read(bytes.data(), bytes.size(), at, shown_) < bytes.size())
      fail("a part of its directory is missing");
    return bytes;
  }

  // Finds the directory by the record at the end of the archive, which a comment may follow.
  void find_directory() {
    const std::uint64_t tail_size = std::min<std::uint64_t>(size_, end_bytes + longest_comment);
    const std::string tail = bytes_at(size_ - tail_size, tail_size);
    std::size_t at = tail.rfind(end_signature);
    while (at != std::string::npos &&
           (at + end_bytes > tail.size() || at + end_bytes + zip_number(tail, at + 20, 2) > tail.size()))
      at = at == 0 ? std::string::npos : tail.rfind(end_signature, at - 1);
    if (at == std::string::npos) fail("the directory at its end is missing");
    end_at_ = size_ - tail_size + at;
    directory_size_ = zip_number(tail, at + 12, 4);
    directory_at_ = zip_number(tail, at + 16, 4);
    if (zip_number(tail, at + 10, 2) == 0xffff || directory_size_ == see_extra || directory_at_ == see_extra)
      find_directory64();
  }

  void find_directory64() {
    if (end_at_ < locator_bytes) fail("the end of its directory is missing");
    const std::string locator = bytes_at(end_at_ - locator_bytes, locator_bytes);
    if (!locator.starts_with(locator_signature)) return;  // without a locator, 65535 entries are just that number
    end_at_ = zip_number(locator, 8, 8);
    const std::string end = bytes_at(end_at_, end64_bytes);
    if (!end.starts_with(end64_signature)) fail("the end of its directory is not where its locator says");
    directory_size_ = zip_number(end, 40, 8);
    directory_at_ = zip_number(end, 48, 8);
  }

  std::vector<ZipEntry> parse(std::string_view directory) const {
    std::vector<ZipEntry> entries;
    while (!directory.empty()) {
      if (directory.size() < record_bytes || !directory.starts_with(directory_signature))
        fail("its directory has something else between its entries");
      const std::size_t name_size = zip_number(directory, 28, 2), extra_size = zip_number(directory, 30, 2);
      const std::size_t whole = record_bytes + name_size + extra_size + zip_number(directory, 32, 2);
      if (directory.size() < whole) fail("the last entry of its directory is incomplete");
      ZipEntry entry{.name = std::string(directory.substr(record_bytes, name_size)),
                     .bytes = zip_number(directory, 24, 4),
                     .stored = zip_number(directory, 20, 4),
                     .header_at = zip_number(directory, 42, 4),
                     .checksum = static_cast<std::uint32_t>(zip_number(directory, 16, 4)),
                     .method = static_cast<unsigned>(zip_number(directory, 10, 2)),
                     .is_encrypted = (zip_number(directory, 8, 2) & 1) != 0};
      widen(entry, directory.substr(record_bytes + name_size, extra_size));
      if (entry.header_at > size_ || entry.stored > size_ - entry.header_at)
        fail(fmt::format("{} reaches beyond its end", in_quotes(entry.name)));
      entries.push_back(entry);
      directory.remove_prefix(whole);
    }
    return entries;
  }

  // Reads the extra field 1, which has, in this order, those numbers that need 64 bits.
  static void widen(ZipEntry& entry, std::string_view extra) {
    while (extra.size() >= 4) {
      const std::size_t size = std::min<std::size_t>(zip_number(extra, 2, 2), extra.size() - 4);
      std::string_view field = extra.substr(4, size);
      if (zip_number(extra, 0, 2) == 1)
        for (std::uint64_t* value : {&entry.bytes, &entry.stored, &entry.header_at}) {
          if (*value != see_extra || field.size() < 8) continue;
          *value = zip_number(field, 0, 8);
          field.remove_prefix(8);
        }
      extra.remove_prefix(4 + size);
    }
  }

  std::string shown_;
  OpenFile file_;
  std::uint64_t size_;
  std::uint64_t end_at_ = 0, directory_at_ = 0, directory_size_ = 0;
};

}  // namespace

std::vector<ZipEntry> list_zip(const std::string& path) { return DirectoryReader(path).read(); }

}  // namespace dualkpca
