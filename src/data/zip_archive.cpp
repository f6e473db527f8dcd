#include "data/zip_archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <unzip.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Says why minizip, which says nothing, could not open it.
[[noreturn]] void throw_no_archive(const std::string& path) {
  const std::string shown = printable(path, 300);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 4> begin{};
  const ssize_t got = file < 0 ? -1 : ::read(file, begin.data(), begin.size());
  const int error = errno;
  if (file >= 0) ::close(file);
  if (got < 0) throw DataError(fmt::format("{}: cannot be read: {}", shown, std::generic_category().message(error)));
  const std::string_view found(begin.data(), static_cast<std::size_t>(got));
  if (found == "PK\5\6")  // minizip wants at least one entry
    throw DataError(fmt::format("{}: the zip archive is empty: it holds no arrays", shown));
  if (found.starts_with("PK"))
    throw DataError(
        fmt::format("{}: the zip archive is cut short or damaged: the directory at its end is missing", shown));
  throw DataError(fmt::format("{}: not an NPZ file: it begins with {}, not with PK as zip archives do", shown,
                              found.empty() ? "nothing" : quoted(found)));
}

}  // namespace

std::vector<ZipEntry> list_zip(const std::string& path) {
  const std::unique_ptr<void, int (*)(void*)> archive(unzOpen64(path.c_str()), unzClose);
  if (!archive) throw_no_archive(path);
  std::vector<ZipEntry> entries;
  int status = unzGoToFirstFile(archive.get());
  for (; status == UNZ_OK; status = unzGoToNextFile(archive.get())) {
    unz_file_info64 info{};
    std::array<char, 1024> name{};
    unz64_file_pos position{};
    status = unzGetCurrentFileInfo64(archive.get(), &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0);
    if (status != UNZ_OK || unzGetFilePos64(archive.get(), &position) != UNZ_OK) break;
    entries.push_back({name.data(), info.uncompressed_size, (info.flag & 1) != 0, info.compression_method,
                       position.pos_in_zip_directory, position.num_of_file});
  }
  if (status != UNZ_END_OF_LIST_OF_FILE)
    throw DataError(fmt::format("{}: the directory of the zip archive is damaged", printable(path, 300)));
  return entries;
}

ZipMember::ZipMember(const std::string& path, const ZipEntry& entry)
    : name_(fmt::format("{}: {}", printable(path, 300), printable(entry.name))), left_(entry.bytes) {
  if (entry.is_encrypted) fail("is encrypted; accepted are archives without a password");
  if (entry.method != 0 && entry.method != 8)
    fail(fmt::format("is compressed with method {}; accepted are 0 (stored) and 8 (deflated), as numpy writes them",
                     entry.method));
  archive_ = unzOpen64(path.c_str());
  if (archive_ == nullptr) throw_no_archive(path);
  const unz64_file_pos position{entry.directory_at, entry.number};
  if (unzGoToFilePos64(archive_, &position) == UNZ_OK && unzOpenCurrentFile(archive_) == UNZ_OK) return;
  unzClose(archive_);
  fail("the zip archive is damaged: the entry is not where its directory says");
}

ZipMember::~ZipMember() {
  unzCloseCurrentFile(archive_);
  unzClose(archive_);
}

std::size_t ZipMember::read(char* out, std::size_t count) {
  constexpr std::size_t most = std::size_t{1} << 26;  // minizip counts in unsigned
  std::size_t have = 0;
  while (have < count) {
    const int got = unzReadCurrentFile(archive_, out + have, static_cast<unsigned>(std::min(count - have, most)));
    if (got < 0) fail("the compressed data are damaged or cut short");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  left_ -= std::min<std::uint64_t>(left_, have);
  if (have < count && left_ > 0) fail(fmt::format("is cut short: {} bytes of it are missing", left_));
  return have;
}

void ZipMember::finish() {
  std::vector<char> rest(std::size_t{1} << 16);
  while (read(rest.data(), rest.size()) == rest.size()) {
  }
  if (unzCloseCurrentFile(archive_) == UNZ_CRCERROR) fail("the checksum is wrong: the data are damaged");
}

std::size_t ZipMember::data_at() const { return unzGetCurrentFileZStreamPos64(archive_); }

void ZipMember::fail(const std::string& reason) const { throw DataError(fmt::format("{}: {}", name_, reason)); }

}  // namespace dualkpca
