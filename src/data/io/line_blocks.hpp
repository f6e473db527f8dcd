#pragma once

#include <string>
#include <string_view>

#include "core/growing_buffer.hpp"
#include "data/io/byte_source.hpp"
#include "dualkpca/data/read.hpp"

namespace dualkpca {

/// A text file as blocks of whole lines. A byte order mark and blank lines at the end of the file are left out; UTF-16
/// is refused, and so is a line that would not fit into memory, as binary data may have.
class LineBlocks {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 20;

  /// `observe` is told after every block but the last, so that it hears nothing of a small file.
  LineBlocks(const std::string& path, Observer observe);

  /// The lines after those of the last call, empty at the end of the file; the last line may lack its end. Valid until
  /// the next call. Throws DataError, and Interrupted if the observer says so.
  [[nodiscard]] std::string_view next();
  /// Gives back the last `count` bytes of the block: the next one begins with them, and is longer.
  void unread(std::size_t count) { used_ -= count; }
  /// Whether the block goes to the end of the file.
  [[nodiscard]] bool at_end() const { return source_ended_; }
  /// Where the block begins, counted from 1.
  [[nodiscard]] Index line() const { return line_; }
  /// The file's, as messages show it.
  [[nodiscard]] const std::string& name() const { return source_.name(); }

 private:
  void read_more();
  void strip_byte_order_mark();
  [[noreturn]] void refuse_length() const;
  [[nodiscard]] std::string_view text() const { return {buffer_.data(), buffer_.size()}; }

  ByteSource source_;
  Observer observe_;
  GrowingBuffer<char> buffer_;
  std::size_t used_ = 0;  ///< of the buffer, by the block that was given out
  Index line_ = 1;
  bool is_first_ = true;
  bool source_ended_ = false;
};

/// Throws ResourceError if a block of text is longer than most, because a line is, and its numbers exceed the budget.
void require_memory_for_lines(std::string_view text, std::size_t budget, const std::string& name);

/// The lines of a file one by one.
class Lines {
 public:
  Lines(const std::string& path, Observer observe) : blocks_(path, std::move(observe)) {}

  /// Without its end; false after the last.
  [[nodiscard]] bool next(std::string_view& line);
  /// Of the line that was given last, counted from 1.
  [[nodiscard]] Index number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return blocks_.name(); }

 private:
  LineBlocks blocks_;
  std::string_view rest_;
  Index number_ = 0;
};

}  // namespace dualkpca
