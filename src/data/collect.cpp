#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>

#include "core/growing_buffer.hpp"
#include "data/io/memory_check.hpp"
#include "data/io/text.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/core/memory.hpp"

namespace dualkpca {
namespace {

// The joined blocks of a stream, which are all of one kind and precision.
class Collection {
 public:
  virtual ~Collection() = default;
  virtual void add(const SamplesView& block) = 0;
  [[nodiscard]] virtual std::size_t bytes_of_block(const SamplesView& block) const = 0;
  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;
  // Returns a view of this collection, after which no more blocks may be added.
  [[nodiscard]] virtual SamplesView view() const = 0;
};

template <class T>
class DenseCollection : public Collection {
 public:
  void add(const SamplesView& block) override {
    rows_ += block.rows();
    cols_ = block.cols();
    T* out = numbers_.extend(static_cast<std::size_t>(block.rows() * block.cols()));
    for (Index i = 0; i < block.rows(); ++i, out += cols_) {
      if constexpr (precision_of<T> == Precision::float64)
        block.copy_row(i, out);
      else
        block.for_each_entry(i, [&](Index j, double value) { out[j] = static_cast<T>(value); });
    }
  }
  [[nodiscard]] std::size_t bytes_of_block(const SamplesView& block) const override {
    return static_cast<std::size_t>(block.rows() * block.cols()) * sizeof(T);
  }
  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }
  [[nodiscard]] SamplesView view() const override { return {numbers_.data(), rows_, cols_}; }

 private:
  GrowingBuffer<T> numbers_;
  Index rows_ = 0, cols_ = 0;
};

template <class T>
class SparseCollection : public Collection {
 public:
  SparseCollection() { offsets_.push_back(0); }
  void add(const SamplesView& block) override {
    const SparseRows<T> added = block.sparse<T>();
    const Index first = added.offsets[0];
    const auto count = static_cast<std::size_t>(added.nonzeros());
    const Index shift = static_cast<Index>(values_.size()) - first;
    Index* ends = offsets_.extend(static_cast<std::size_t>(added.rows));
    for (Index i = 0; i < added.rows; ++i) ends[i] = added.offsets[i + 1] + shift;
    cols_ = std::max(cols_, added.cols);  // the width of a LIBSVM file is known at its end
    if (count == 0) return;
    std::memcpy(columns_.extend(count), added.columns + first, count * sizeof(std::int32_t));
    std::memcpy(values_.extend(count), added.values + first, count * sizeof(T));
  }
  [[nodiscard]] std::size_t bytes_of_block(const SamplesView& block) const override {
    return static_cast<std::size_t>(block.rows()) * sizeof(Index) +
           static_cast<std::size_t>(block.nonzeros()) * (sizeof(std::int32_t) + sizeof(T));
  }
  [[nodiscard]] Index rows() const override { return static_cast<Index>(offsets_.size()) - 1; }
  [[nodiscard]] Index cols() const override { return cols_; }
  [[nodiscard]] SamplesView view() const override {
    return SparseRows<T>{offsets_.data(), columns_.data(), values_.data(), rows(), cols_};
  }

 private:
  GrowingBuffer<Index> offsets_;
  GrowingBuffer<std::int32_t> columns_;
  GrowingBuffer<T> values_;
  Index cols_ = 0;
};

std::unique_ptr<Collection> make_collection(const SamplesView& first) {
  const bool narrow = first.precision() == Precision::float32;
  if (first.is_sparse() && narrow) return std::make_unique<SparseCollection<float>>();
  if (first.is_sparse()) return std::make_unique<SparseCollection<double>>();
  if (narrow) return std::make_unique<DenseCollection<float>>();
  return std::make_unique<DenseCollection<double>>();
}

// Returns the number of rows to ask a stream for at once. Text is read in blocks of its own size anyway. A stream with
// a known number of rows may be able to give any number of them.
Index rows_of_a_block(const DataStream& stream) {
  constexpr Index block_numbers = Index{1} << 21;
  constexpr Index sparse_rows = 4096;
  if (stream.rows() < 0) return std::numeric_limits<Index>::max();
  if (stream.is_sparse() || stream.cols() < 1) return sparse_rows;
  return std::max<Index>(1, block_numbers / stream.cols());
}

// Throws ResourceError if the rows will need too much memory, as far as this is known before they are read.
void require_room(const DataStream& stream, Precision precision, const std::string& path, std::size_t memory) {
  if (stream.rows() < 0) return;
  if (stream.is_sparse())
    require_memory(path, fmt::format("{} sparse rows", stream.rows()),
                   static_cast<double>(stream.rows()) * static_cast<double>(sizeof(Index)), memory);
  else
    require_memory(path, stream.rows(), stream.cols(), bytes_of(precision), memory);
}

// Ids or labels. They are kept in blocks until the end, because a vector that grows by copying needs three times the
// memory for a moment.
class Texts {
 public:
  void add(std::vector<std::string> texts) {
    count_ += texts.size();
    if (!texts.empty()) blocks_.push_back(std::move(texts));
  }
  [[nodiscard]] std::vector<std::string> join() {
    std::vector<std::string> all;
    all.reserve(count_);
    for (std::vector<std::string>& block : blocks_) {
      all.insert(all.end(), std::make_move_iterator(block.begin()), std::make_move_iterator(block.end()));
      block = {};
    }
    return all;
  }

  // Each text has a place in its block and one in the joined vector. A longer text is also allocated.
  static std::size_t bytes_of_texts(const std::vector<std::string>& texts) {
    constexpr std::size_t inside = 15, allocation = 32;
    std::size_t bytes = 2 * sizeof(std::string) * texts.size();
    for (const std::string& text : texts)
      if (text.size() > inside) bytes += text.capacity() + allocation;
    return bytes;
  }

 private:
  std::vector<std::vector<std::string>> blocks_;
  std::size_t count_ = 0;
};

// Counts the bytes that are kept, and compares them with the budget or, now and then, with the available memory.
class KeptMemory {
 public:
  KeptMemory(std::string path, std::size_t memory) : path_(std::move(path)), memory_(memory) {}

  // Returns the bytes that are left of the budget; 0 if there is no budget.
  [[nodiscard]] std::size_t left() const {
    return memory_ == 0 ? 0 : std::max<std::size_t>(1, memory_ - std::min(memory_, kept_));
  }

  // Counts a block, which is copied before it is freed. A block of ordinary size is not counted twice.
  void add(std::size_t bytes, Index rows_before) {
    constexpr std::size_t ordinary_block = std::size_t{64} << 20, between_checks = std::size_t{64} << 20;
    const std::size_t with_block = bytes > ordinary_block ? 2 * bytes : bytes;
    if (memory_ > 0 && kept_ + with_block > memory_) refuse(kept_ + with_block, rows_before);
    if (unchecked_ >= between_checks) {
      require_memory(path_, fmt::format("the rows after row {}", rows_before),
                     static_cast<double>(between_checks + bytes));
      unchecked_ = 0;
    }
    unchecked_ += bytes;
    kept_ += bytes;
  }

  [[nodiscard]] std::size_t bytes() const { return kept_; }

 private:
  [[noreturn]] void refuse(std::size_t needed, Index rows_before) const {
    throw ResourceError(
        fmt::format("{}: its rows need at least {} of memory, and {} may be used: raise memory, or give fewer rows ({} "
                    "rows were read)",
                    path_, format_bytes(needed), format_bytes(memory_), rows_before));
  }

  std::string path_;
  std::size_t memory_;
  std::size_t kept_ = 0;
  std::size_t unchecked_ = std::size_t{64} << 20;
};

}  // namespace

Dataset collect(DataStream& stream, const std::string& path, std::size_t memory) {
  const std::string shown = shown_path(path);
  const Index most = rows_of_a_block(stream);
  KeptMemory kept(shown, memory);
  stream.limit_block(memory);
  Dataset block = stream.next(most);
  if (block.samples.view().rows() == 0)
    throw DataError(fmt::format("{}: the file is empty; at least one sample is expected", shown));
  require_room(stream, block.samples.view().precision(), shown, memory);

  const std::shared_ptr<Collection> all = make_collection(block.samples.view());
  Texts ids, labels;
  while (block.samples.view().rows() > 0) {
    const SamplesView& view = block.samples.view();
    kept.add(all->bytes_of_block(view) + Texts::bytes_of_texts(block.ids) + Texts::bytes_of_texts(block.labels),
             all->rows());
    all->add(view);
    ids.add(std::move(block.ids));
    labels.add(std::move(block.labels));
    block = {};  // freed before the next block takes memory
    stream.limit_block(kept.left());
    block = stream.next(most);
  }
  if (all->cols() == 0) throw DataError(fmt::format("{}: no row has an entry, so there are no columns", shown));
  return {.samples = Samples(all, all->view()),
          .feature_names = stream.feature_names(),
          .ids = ids.join(),
          .labels = labels.join(),
          .bytes = kept.bytes()};
}

}  // namespace dualkpca
