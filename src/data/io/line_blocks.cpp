#include "data/io/line_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data/io/memory_check.hpp"
#include "data/io/text_chunks.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// Size of a block: large enough to keep the threads that parse it busy, small beside what a process needs anyway.
constexpr std::size_t block_bytes = std::size_t{4} << 20;

// Returns the bytes up to the last one that is not blank. It uses a loop, because the search of std::string_view is
// slow on 64 MiB of blanks.
std::size_t strip_blanks(std::string_view text) {
  std::size_t size = text.size();
  while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\r' || text[size - 1] == '\n')) --size;
  return size;
}

// Returns the bytes of whole lines, without the blank lines at the end, because it is not known yet whether anything
// follows them.
std::size_t whole_lines(std::string_view text) {
  const std::size_t last_end = text.rfind('\n');
  if (last_end == std::string_view::npos) return 0;
  const std::size_t stripped = strip_blanks(text.substr(0, last_end));
  return stripped == 0 ? 0 : text.find('\n', stripped) + 1;
}

}  // namespace

LineBlocks::LineBlocks(const std::string& path, Observer observe)
    : source_(path, observe), observe_(std::move(observe)) {}

std::string_view LineBlocks::next() {
  line_ += count_line_ends(text().substr(0, used_));
  const std::size_t kept = buffer_.size() - used_;
  if (used_ > 0) std::memmove(buffer_.data(), buffer_.data() + used_, kept);
  buffer_.shorten(kept);
  used_ = 0;
  while (used_ == 0 && !source_ended_) {
    read_more();
    used_ = source_ended_ ? strip_blanks(text()) : whole_lines(text());
    if (used_ == 0 && buffer_.size() > longest_line) refuse_length();
  }
  if (source_ended_) used_ = strip_blanks(text());  // bytes that were given back may end in blank lines, too
  return text().substr(0, used_);
}

void LineBlocks::read_more() {
  const std::size_t kept = buffer_.size();
  char* out = buffer_.extend(block_bytes);
  const std::size_t got = source_.read(out, block_bytes);
  buffer_.shorten(kept + got);
  source_ended_ = got < block_bytes;
  if (is_first_) strip_byte_order_mark();
  is_first_ = false;
  if (source_ended_ || !observe_) return;
  if (!observe_({.stage = Progress::Stage::read, .fraction = std::max(0.0, source_.fraction())}))
    throw Interrupted(fmt::format("stopped while {} was being read", name()));
}

void LineBlocks::strip_byte_order_mark() {
  if (text().starts_with("\xff\xfe") || text().starts_with("\xfe\xff"))
    throw DataError(fmt::format("{}: the text is UTF-16; save it as UTF-8", name()));
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (!text().starts_with(mark)) return;
  const std::size_t kept = buffer_.size() - mark.size();
  std::memmove(buffer_.data(), buffer_.data() + mark.size(), kept);
  buffer_.shorten(kept);
}

void LineBlocks::refuse_length() const {
  const bool one_line = text().find('\n') == std::string_view::npos;
  throw DataError(one_line ? fmt::format("{}: line {} is longer than 64 MiB: is this a text file?", name(), line_)
                           : fmt::format("{}: from line {} on, 64 MiB are blank: is this a text file?", name(), line_));
}

void require_memory_for_lines(std::string_view text, std::size_t budget, const std::string& name) {
  constexpr std::size_t ordinary = 2 * block_bytes;
  constexpr double bytes_of_numbers = 12;  // per byte of text: "1:1 " is an entry of 12 bytes, in vectors that grow
  if (text.size() > ordinary)
    require_memory(name, fmt::format("lines of {} bytes", text.size()),
                   bytes_of_numbers * static_cast<double>(text.size()), budget);
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) {
    rest_ = blocks_.next();
    number_ = blocks_.line() - 1;
    if (rest_.empty()) return false;
  }
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

}  // namespace dualkpca
