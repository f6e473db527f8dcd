#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>

#include "core/growing_buffer.hpp"
#include "data/memory_check.hpp"
#include "data/streams.hpp"
#include "data/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

// What the blocks of a stream, which are all of one kind and precision, are joined to.
class Collection {
 public:
  virtual ~Collection() = default;
  virtual void add(const SamplesView& block) = 0;
  [[nodiscard]] virtual std::size_t bytes_of_block(const SamplesView& block) const = 0;
  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;
  // Points into this collection; no more blocks may be added.
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

// How much to ask a stream for at once. Text is read in blocks of its own size anyway; where the number of rows is
// known the stream may be able to give any number of them.
Index rows_of_a_block(const DataStream& stream) {
  constexpr Index block_numbers = Index{1} << 21;
  constexpr Index sparse_rows = 4096;
  if (stream.rows() < 0) return std::numeric_limits<Index>::max();
  if (stream.is_sparse() || stream.cols() < 1) return sparse_rows;
  return std::max<Index>(1, block_numbers / stream.cols());
}

// What can be said before all rows are read.
void require_room(const DataStream& stream, Precision precision, const std::string& path) {
  if (stream.rows() < 0) return;
  if (stream.is_sparse())
    require_memory(path, fmt::format("{} sparse rows", stream.rows()),
                   static_cast<double>(stream.rows()) * static_cast<double>(sizeof(Index)));
  else
    require_memory(path, stream.rows(), stream.cols(), bytes_of(precision));
}

void append(std::vector<std::string>& to, std::vector<std::string>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Dataset collect(DataStream& stream, const std::string& path) {
  const std::string shown = shown_path(path);
  const Index most = rows_of_a_block(stream);
  Dataset block = stream.next(most);
  if (block.samples.view().rows() == 0)
    throw DataError(fmt::format("{}: the file is empty; at least one sample is expected", shown));
  require_room(stream, block.samples.view().precision(), shown);

  const std::shared_ptr<Collection> all = make_collection(block.samples.view());
  constexpr std::size_t between_checks = std::size_t{64} << 20;
  std::size_t unchecked = between_checks;
  Dataset result{.feature_names = stream.feature_names()};
  for (; block.samples.view().rows() > 0; block = stream.next(most)) {
    const SamplesView& view = block.samples.view();
    if (unchecked >= between_checks) {
      require_memory(shown, fmt::format("the rows after row {}", all->rows()),
                     static_cast<double>(between_checks + all->bytes_of_block(view)));
      unchecked = 0;
    }
    unchecked += all->bytes_of_block(view);
    all->add(view);
    append(result.ids, block.ids);
    append(result.labels, block.labels);
    block = {};  // its memory goes before the next one's comes
  }
  if (all->cols() == 0) throw DataError(fmt::format("{}: no row has an entry, so there are no columns", shown));
  result.samples = Samples(all, all->view());
  return result;
}

}  // namespace dualkpca
