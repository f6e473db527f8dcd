#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "data/io/line_blocks.hpp"
#include "data/io/text_chunks.hpp"
#include "data/libsvm/libsvm_rows.hpp"
#include "data/pending_rows.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/threads.hpp"

namespace dualkpca {
namespace {

void append(LibsvmRows& all, LibsvmRows part) {
  CsrMatrix& entries = all.entries;
  const auto shift = static_cast<Index>(entries.values.size());
  for (std::size_t i = 1; i < part.entries.offsets.size(); ++i)
    entries.offsets.push_back(part.entries.offsets[i] + shift);
  entries.columns.insert(entries.columns.end(), part.entries.columns.begin(), part.entries.columns.end());
  entries.values.insert(entries.values.end(), part.entries.values.begin(), part.entries.values.end());
  entries.cols = std::max(entries.cols, part.entries.cols);
  all.labels.insert(all.labels.end(), std::make_move_iterator(part.labels.begin()),
                    std::make_move_iterator(part.labels.end()));
}

class LibsvmStream : public DataStream {
 public:
  LibsvmStream(const std::string& path, const ReadOptions& options)
      : blocks_(path, options.observe),
        layout_{blocks_.name(), options.n_features},
        threads_(resolve_threads(options.threads)) {}

  [[nodiscard]] Index rows() const override { return -1; }
  [[nodiscard]] Index cols() const override { return layout_.n_features > 0 ? layout_.n_features : -1; }
  [[nodiscard]] bool is_sparse() const override { return true; }
  [[nodiscard]] Dataset next(Index most) override {
    if (pending_.empty()) pending_ = PendingRows(read_block());
    return pending_.take(most);
  }

 private:
  // Returns the rows of the next block that has any; other blocks contain comments only.
  [[nodiscard]] Dataset read_block() {
    for (;;) {
      const std::string_view text = blocks_.next();
      if (text.empty()) return {};
      require_memory_for_lines(text, block_memory(), blocks_.name());
      LibsvmRows rows = read_parallel(text);
      if (rows.labels.empty()) continue;
      width_ = std::max({width_, rows.entries.cols, layout_.n_features});
      rows.entries.cols = width_;
      return {.samples = Samples(std::move(rows.entries)), .labels = std::move(rows.labels)};
    }
  }

  [[nodiscard]] LibsvmRows read_parallel(std::string_view text) const {
    std::vector<TextChunk> chunks = split_chunks(text, blocks_.line(), threads_);
    std::vector<LibsvmRows> parts(chunks.size());
    for_each_chunk(chunks, [&](const TextChunk& chunk) {
      parts[static_cast<std::size_t>(&chunk - chunks.data())] = read_libsvm_rows(layout_, chunk.text, chunk.first_line);
    });
    LibsvmRows all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) append(all, std::move(parts[i]));
    return all;
  }

  LineBlocks blocks_;
  LibsvmLayout layout_;
  int threads_;
  Index width_ = 0;  ///< the largest index so far
  PendingRows pending_{};
};

}  // namespace

std::unique_ptr<DataStream> open_libsvm(const std::string& path, const ReadOptions& options) {
  constexpr Index most = std::numeric_limits<std::int32_t>::max();
  if (options.n_features < 0 || options.n_features > most)
    throw InvalidArgument(fmt::format("n_features is {}; accepted are 1 to {}, or 0 for the largest index of the file",
                                      options.n_features, most));
  return std::make_unique<LibsvmStream>(path, options);
}

}  // namespace dualkpca
