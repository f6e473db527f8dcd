#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "data/io/text.hpp"
#include "data/npy/zip_archive.hpp"
#include "data/npy/zip_format.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {

ZipMember::ZipMember(const std::string& path, const ZipEntry& entry)
    : name_(fmt::format("{}: {}", printable_path(path), printable(entry.name))), entry_(entry) {
  if (entry.is_encrypted) fail("is encrypted; accepted are archives without a password");
  if (entry.method != 0 && entry.method != 8)
    fail(fmt::format("is compressed with method {}; accepted are 0 (stored) and 8 (deflated), as numpy writes them",
                     entry.method));
  if (entry.is_stored() && entry.bytes != entry.stored)
    fail(fmt::format("is stored without compression, but the directory gives it two sizes, {} and {} bytes",
                     entry.bytes, entry.stored));
  file_.emplace(path);
  constexpr std::size_t local_bytes = 30;
  std::string header(local_bytes, '\0');
  const bool is_there = file_->read(header.data(), header.size(), entry.header_at, name_) == header.size() &&
                        header.starts_with(local_signature);
  if (!is_there) fail("the zip archive is damaged: the entry is not where its directory says");
  data_at_ = entry.header_at + local_bytes + zip_number(header, 26, 2) + zip_number(header, 28, 2);
  if (entry.is_stored()) return;
  constexpr int no_header = -MAX_WBITS;
  inflating_ = inflateInit2(&inflater_, no_header) == Z_OK;
  if (!inflating_) throw std::bad_alloc();
}

ZipMember::~ZipMember() {
  if (inflating_) inflateEnd(&inflater_);
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
  const std::size_t got = file_->read(out, count, data_at_ + taken_, name_);
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
      input_.resize(file_->read(input_.data(), input_.size(), data_at_ + taken_, name_));
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
