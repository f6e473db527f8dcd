#include "data/npy/zip_writer.hpp"

#include <zlib.h>

#include <concepts>

#include "data/npy/zip_format.hpp"

namespace dualkpca {
namespace {

// Values of fields, from PKWARE's APPNOTE.TXT 6.3.
constexpr std::uint16_t zip64_version = 45, sizes_follow = 8, zip64_extra = 1;
constexpr std::uint16_t midnight = 0, first_of_1980 = 0x21;  // the same data make the same file

// Collector of numbers in the byte order of zip files, least significant byte first.
class Bytes {
 public:
  template <std::integral T>
  Bytes& put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) text_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  Bytes& put(std::string_view text) {
    text_ += text;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::uint32_t checksum_of(std::uint32_t before, const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(bytes), count));
}

}  // namespace

std::string ZipWriter::local_header(const Entry& entry) const {
  Bytes header;
  header.put(local_signature).put(zip64_version).put(out_.can_rewrite() ? std::uint16_t{0} : sizes_follow);
  header.put(std::uint16_t{0}).put(midnight).put(first_of_1980).put(entry.checksum).put(see_extra).put(see_extra);
  header.put(static_cast<std::uint16_t>(entry.name.size())).put(std::uint16_t{20}).put(entry.name);
  header.put(zip64_extra).put(std::uint16_t{16}).put(entry.bytes).put(entry.bytes);
  return header.text();
}

void ZipWriter::put(std::string_view bytes) {
  out_.write(bytes);
  position_ += bytes.size();
}

void ZipWriter::begin(const std::string& name, std::string_view head) {
  entries_.push_back({name, position_});
  put(local_header(entries_.back()));
  put(head);
  tail_checksum_ = 0;
  tail_bytes_ = 0;
}

void ZipWriter::write(const void* bytes, std::size_t count) {
  tail_checksum_ = checksum_of(tail_checksum_, bytes, count);
  tail_bytes_ += count;
  put({static_cast<const char*>(bytes), count});
}

void ZipWriter::end(std::string_view head) {
  Entry& entry = entries_.back();
  entry.checksum = static_cast<std::uint32_t>(
      crc32_combine(checksum_of(0, head.data(), head.size()), tail_checksum_, static_cast<z_off_t>(tail_bytes_)));
  entry.bytes = head.size() + tail_bytes_;
  if (out_.can_rewrite())
    out_.rewrite(entry.at, local_header(entry) + std::string(head));
  else
    put(Bytes().put(descriptor_signature).put(entry.checksum).put(entry.bytes).put(entry.bytes).text());
}

void ZipWriter::finish() {
  const std::uint64_t directory_at = position_;
  const std::uint16_t flags = out_.can_rewrite() ? 0 : sizes_follow;
  for (const Entry& entry : entries_) {
    Bytes record;
    record.put(directory_signature).put(zip64_version).put(zip64_version).put(flags).put(std::uint16_t{0});
    record.put(midnight).put(first_of_1980).put(entry.checksum).put(see_extra).put(see_extra);
    record.put(static_cast<std::uint16_t>(entry.name.size())).put(std::uint16_t{28}).put(std::uint16_t{0});
    record.put(std::uint16_t{0}).put(std::uint16_t{0}).put(std::uint32_t{0}).put(see_extra).put(entry.name);
    record.put(zip64_extra).put(std::uint16_t{24}).put(entry.bytes).put(entry.bytes).put(entry.at);
    put(record.text());
  }
  const std::uint64_t end64_at = position_, count = entries_.size();
  Bytes end;
  end.put(end64_signature).put(std::uint64_t{44}).put(zip64_version).put(zip64_version);
  end.put(std::uint32_t{0}).put(std::uint32_t{0}).put(count).put(count).put(end64_at - directory_at).put(directory_at);
  end.put(locator_signature).put(std::uint32_t{0}).put(end64_at).put(std::uint32_t{1});
  end.put(end_signature).put(std::uint16_t{0}).put(std::uint16_t{0});
  end.put(std::uint16_t{0xffff}).put(std::uint16_t{0xffff}).put(see_extra).put(see_extra).put(std::uint16_t{0});
  put(end.text());
}

}  // namespace dualkpca
