#include "data/io/text_output.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <new>

namespace dualkpca {
namespace {

constexpr std::size_t flush_at = 1 << 16;

bool ends_with(const std::string& path, std::string_view end) {
  return path.size() > end.size() &&
         std::equal(end.begin(), end.end(), path.end() - static_cast<Index>(end.size()),
                    [](char a, char b) { return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b))); });
}

}  // namespace

Compression compression_of(const std::string& path) {
  if (ends_with(path, ".gz")) return Compression::gzip;
  if (ends_with(path, ".bz2")) return Compression::bzip2;
  return Compression::none;
}

class TextOutput::Compressor {
 public:
  virtual ~Compressor() = default;
  virtual void put(std::string& text, bool last, OutputFile& out) = 0;
};

namespace {

// Both libraries can fail at their start only, for want of memory; as they are used here, they do not fail later.
class Gzip : public TextOutput::Compressor {
 public:
  Gzip() {
    constexpr int gzip_header = 16, memory_level = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_header, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Gzip() override { deflateEnd(&stream_); }

  void put(std::string& text, bool last, OutputFile& out) override {
    stream_.next_in = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
      stream_.avail_out = static_cast<uInt>(room_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      out.write(room_.data(), room_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  std::vector<char> room_ = std::vector<char>(flush_at);
};

class Bzip2 : public TextOutput::Compressor {
 public:
  Bzip2() {
    constexpr int largest_blocks = 9;
    if (BZ2_bzCompressInit(&stream_, largest_blocks, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Bzip2() override { BZ2_bzCompressEnd(&stream_); }

  void put(std::string& text, bool last, OutputFile& out) override {
    stream_.next_in = text.data();
    stream_.avail_in = static_cast<unsigned>(text.size());
    for (int status = BZ_RUN_OK; last ? status != BZ_STREAM_END : stream_.avail_in > 0;) {
      stream_.next_out = room_.data();
      stream_.avail_out = static_cast<unsigned>(room_.size());
      status = BZ2_bzCompress(&stream_, last ? BZ_FINISH : BZ_RUN);
      out.write(room_.data(), room_.size() - stream_.avail_out);
    }
  }

 private:
  bz_stream stream_{};
  std::vector<char> room_ = std::vector<char>(flush_at);
};

std::unique_ptr<TextOutput::Compressor> make_compressor(Compression compression) {
  switch (compression) {
    case Compression::gzip: return std::make_unique<Gzip>();
    case Compression::bzip2: return std::make_unique<Bzip2>();
    case Compression::none: break;
  }
  return nullptr;
}

}  // namespace

TextOutput::TextOutput(const std::string& path) : file_(path), compressor_(make_compressor(compression_of(path))) {}

TextOutput::~TextOutput() = default;

void TextOutput::flush_if_full() {
  if (buffer_.size() >= flush_at) flush();
}

void TextOutput::flush(bool last) {
  if (compressor_)
    compressor_->put(buffer_, last, file_);
  else
    file_.write(buffer_);
  buffer_.clear();
}

bool TextOutput::can_rewrite() const { return !compressor_ && file_.can_rewrite(); }

void TextOutput::rewrite(std::size_t at, std::string_view bytes) {
  flush();
  file_.rewrite(at, bytes);
}

void TextOutput::commit() {
  flush(true);
  file_.commit();
}

void TextOutput::append_number(double value, Precision precision) {
  char digits[32];
  char* const end = digits + sizeof digits;
  const auto written = precision == Precision::float32 ? std::to_chars(digits, end, static_cast<float>(value))
                                                       : std::to_chars(digits, end, value);
  buffer_.append(digits, static_cast<std::size_t>(written.ptr - digits));
}

}  // namespace dualkpca
