#include "data/io/text_chunks.hpp"

#include <algorithm>

namespace dualkpca {
namespace {

// Smallest size of a chunk; below it a thread costs more than it saves.
constexpr std::size_t smallest_chunk = std::size_t{256} * 1024;

}  // namespace

Index count_line_ends(std::string_view text) {
  Index count = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ++count;
  return count;
}

std::vector<TextChunk> split_chunks(std::string_view text, Index first_line, int threads) {
  // A text with quotes is one chunk, because only reading from its start shows which line ends are inside quotes.
  const bool has_quotes = text.find('"') != std::string_view::npos;
  const std::size_t most = has_quotes ? 1 : static_cast<std::size_t>(threads);
  const std::size_t wanted = std::clamp<std::size_t>(text.size() / smallest_chunk, 1, most);
  std::vector<TextChunk> chunks;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t aim = text.size() * (chunks.size() + 1) / wanted;
    const std::size_t line_end = text.find('\n', std::max(begin, aim - 1));
    const std::size_t end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    chunks.push_back({text.substr(begin, end - begin)});
    begin = end;
  }
  for_each_chunk(chunks, [](TextChunk& chunk) {
    chunk.rows = count_line_ends(chunk.text) + (chunk.text.ends_with('\n') ? 0 : 1);
  });
  Index row = 0;
  for (TextChunk& chunk : chunks) {
    chunk.first_row = row;
    chunk.first_line = first_line + row;
    row += chunk.rows;
  }
  return chunks;
}

}  // namespace dualkpca
