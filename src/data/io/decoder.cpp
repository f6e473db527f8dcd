#include "data/io/decoder.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <new>

namespace dualkpca {
namespace {

// Limits a count to what zlib and bzip2, which count in unsigned int, can take.
unsigned int bounded(std::size_t count) {
  return static_cast<unsigned int>(std::min<std::size_t>(count, std::size_t{1} << 30));
}

constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view bzip2_magic = "BZh";

class GzipDecoder : public Decoder {
 public:
  GzipDecoder() {
    constexpr int gzip_header_alone = 16;
    if (inflateInit2(&stream_, MAX_WBITS + gzip_header_alone) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  [[nodiscard]] Step decode(std::string_view in, char* out, std::size_t count) override {
    const unsigned int in_bytes = bounded(in.size()), out_bytes = bounded(count);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // NOLINT: zlib only reads it
    stream_.avail_in = in_bytes;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = out_bytes;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    const bool is_fine = result == Z_OK || result == Z_BUF_ERROR;  // the latter: nothing to do before more comes
    const State state = result == Z_STREAM_END ? State::ended : is_fine ? State::more : State::damaged;
    return {in_bytes - stream_.avail_in, out_bytes - stream_.avail_out, state};
  }
  void restart() override { inflateReset(&stream_); }
  [[nodiscard]] std::string_view name() const override { return "gzip"; }
  [[nodiscard]] std::string_view magic() const override { return gzip_magic; }

 private:
  z_stream stream_{};
};

class Bzip2Decoder : public Decoder {
 public:
  Bzip2Decoder() { begin(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

  [[nodiscard]] Step decode(std::string_view in, char* out, std::size_t count) override {
    const unsigned int in_bytes = bounded(in.size()), out_bytes = bounded(count);
    stream_.next_in = const_cast<char*>(in.data());  // NOLINT: bzip2 only reads it
    stream_.avail_in = in_bytes;
    stream_.next_out = out;
    stream_.avail_out = out_bytes;
    const int result = BZ2_bzDecompress(&stream_);
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    const State state = result == BZ_STREAM_END ? State::ended : result == BZ_OK ? State::more : State::damaged;
    return {in_bytes - stream_.avail_in, out_bytes - stream_.avail_out, state};
  }
  void restart() override {
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }
  [[nodiscard]] std::string_view name() const override { return "bzip2"; }
  [[nodiscard]] std::string_view magic() const override { return bzip2_magic; }

 private:
  void begin() {
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  bz_stream stream_{};
};

// Returns whether the bytes begin a bzip2 file. It looks at ten bytes, because a text may well begin with "BZh". In a
// bzip2 file the level and the mark of a first block or of the end follow.
bool is_bzip2(std::string_view bytes) {
  if (!bytes.starts_with(bzip2_magic) || bytes.size() < 4 || bytes[3] < '1' || bytes[3] > '9') return false;
  const std::string_view mark = bytes.substr(4, decoder_magic_bytes - 4);
  return std::string_view("1AY&SY").starts_with(mark) || std::string_view("\x17rE8P\x90").starts_with(mark);
}

}  // namespace

std::unique_ptr<Decoder> make_decoder(std::string_view first_bytes) {
  if (first_bytes.starts_with(gzip_magic)) return std::make_unique<GzipDecoder>();
  if (is_bzip2(first_bytes)) return std::make_unique<Bzip2Decoder>();
  return nullptr;
}

}  // namespace dualkpca
