#pragma once

#include <string>
#include <string_view>

#include "core/growing_buffer.hpp"
#include "data/io/byte_source.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// Reader of a text file in blocks of whole lines. A byte order mark and blank lines at the end of the file are left
/// out. UTF-16 is refused, and so is a line of more than 64 MiB, as binary data may have.
class LineBlocks {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 20;

  /// Opens the file. `observe` gets the progress after every block but the last, so a small file gives none.
  LineBlocks(const std::string& path, Observer observe);

  /// Returns the lines after those of the last call, valid until the next call; empty at the end of the file. The last
  /// line may lack its end. Throws DataError, and Interrupted if the observer stops it.
  [[nodiscard]] std::string_view next();
  /// Gives back the last `count` bytes of the block: the next block begins with them, and is longer.
  void unread(std::size_t count) { used_ -= count; }
  /// Returns whether the block reaches the end of the file.
  [[nodiscard]] bool at_end() const { return source_ended_; }
  /// Returns the line on which the block begins, counted from 1.
  [[nodiscard]] Index line() const { return line_; }
  /// Returns the name of the file that messages use.
  [[nodiscard]] const std::string& name() const { return source_.name(); }

 private:
  void read_more();
  void strip_byte_order_mark();
  [[noreturn]] void refuse_length() const;
  [[nodiscard]] std::string_view text() const { return {buffer_.data(), buffer_.size()}; }

  ByteSource source_;
  Observer observe_;
  GrowingBuffer<char> buffer_;
  std::size_t used_ = 0;  ///< bytes of the buffer that the last block has
  Index line_ = 1;
  bool is_first_ = true;
  bool source_ended_ = false;
};

/// Throws ResourceError if the numbers of a block of text exceed the budget. It checks only blocks that are longer than
/// usual, because only these can have a very long line.
void require_memory_for_lines(std::string_view text, std::size_t budget, const std::string& name);

/// Reader of the lines of a file, one by one.
class Lines {
 public:
  Lines(const std::string& path, Observer observe) : blocks_(path, std::move(observe)) {}

  /// Gives the next line, without its end. Returns false after the last line.
  [[nodiscard]] bool next(std::string_view& line);
  /// Returns the number of the line that was given last, counted from 1.
  [[nodiscard]] Index number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return blocks_.name(); }

 private:
  LineBlocks blocks_;
  std::string_view rest_;
  Index number_ = 0;
};

}  // namespace dualkpca
