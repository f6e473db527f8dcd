#pragma once

#include <exception>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "dualkpca/core/types.hpp"

namespace dualkpca {

/// Whole lines of a file, for one thread to read.
struct TextChunk {
  std::string_view text{};
  Index rows = 0;  ///< an upper bound until it is read: quotes may hold line ends
  Index first_row = 0;
  Index first_line = 0;
};

/// Returns the number of line ends in the text.
[[nodiscard]] Index count_line_ends(std::string_view text);

/// Cuts the text, which begins on line `first_line` of the file, into at most `threads` chunks.
[[nodiscard]] std::vector<TextChunk> split_chunks(std::string_view text, Index first_line, int threads);

/// Runs work(chunk) with one thread per chunk. If several fail, it throws the exception of the first chunk, so that a
/// bad file gives the same message whatever the number of threads.
template <class Work>
void for_each_chunk(std::vector<TextChunk>& chunks, const Work& work) {
  std::vector<std::exception_ptr> failures(chunks.size());
  parallel_for(static_cast<Index>(chunks.size()), static_cast<int>(chunks.size()), [&](Index task, int) {
    const auto i = static_cast<std::size_t>(task);
    try {
      work(chunks[i]);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace dualkpca
