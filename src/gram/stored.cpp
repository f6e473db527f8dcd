#include "dualkpca/gram/stored.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "core/blas.hpp"
#include "core/huge_buffer.hpp"
#include "core/parallel.hpp"
#include "dualkpca/core/errors.hpp"
#include "gram/tile_layout.hpp"

namespace dualkpca {
namespace {

template <class T>
class StoredGram final : public GramOperator {
 public:
  StoredGram(Index n, int threads)
      : layout_(n), buffer_(static_cast<std::size_t>(layout_.elements()) * sizeof(T)), threads_(threads) {}

  [[nodiscard]] const TileLayout& layout() const { return layout_; }
  [[nodiscard]] TileRef<T> tile(Index i, Index j) const {
    return {static_cast<T*>(buffer_.data()) + layout_.offset(i, j), layout_.length(i), layout_.length(j),
            layout_.length(j)};
  }
  void set_diagonal(Vector diagonal) { diagonal_ = std::move(diagonal); }
  void set_exact(ExactBlock exact) { exact_ = std::move(exact); }

  [[nodiscard]] Index size() const override { return layout_.size(); }
  [[nodiscard]] Precision precision() const override { return precision_of<T>; }
  [[nodiscard]] int threads() const override { return threads_; }
  [[nodiscard]] double scale() const override {
    return std::sqrt(diagonal_.cwiseAbs().maxCoeff() * diagonal_.cwiseAbs().mean());
  }
  [[nodiscard]] Vector diagonal() const override { return diagonal_; }
  [[nodiscard]] GramCounts counts() const override { return counts_; }

  void apply(ConstMatrixRef V, MatrixRef GV) const override {
    const Index w = V.cols();
    // Brought to size 1, so that neither the operand nor the product can leave the range of T. Denormals among the
    // operand would slow GEMM as those of a tile would.
    const double magnitude = std::max(V.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    const RowMajor narrow = (V / magnitude).template cast<T>().unaryExpr([](T v) {
      return std::abs(v) < std::numeric_limits<T>::min() ? T{0} : v;
    });
    // Each thread takes one contiguous run of tiles and sums in float64 on its own, so that results are the same from
    // run to run, and equal up to the order of that sum for any number of threads.
    const auto runs = static_cast<Index>(threads_);
    std::vector<Matrix> sums(static_cast<std::size_t>(runs));
    parallel_for(runs, threads_, [&](Index run, int) {
      Matrix& sum = sums[static_cast<std::size_t>(run)];
      sum = Matrix::Zero(size(), w);
      RowMajor product(TileLayout::block, w);
      for (Index t = layout_.tiles() * run / runs; t < layout_.tiles() * (run + 1) / runs; ++t) {
        const auto [i, j] = layout_.tile(t);
        accumulate(blas::Op::none, i, j, narrow, product, sum);
        if (i != j) accumulate(blas::Op::transpose, i, j, narrow, product, sum);
      }
    });
    parallel_for(layout_.blocks(), threads_, [&](Index b, int) {
      const Index first = layout_.start(b), count = layout_.length(b);
      for (std::size_t run = 1; run < sums.size(); ++run)
        sums[0].middleRows(first, count) += sums[run].middleRows(first, count);
      GV.middleRows(first, count) = magnitude * sums[0].middleRows(first, count);
    });
    ++counts_.products;
    counts_.product_columns += w;
  }

  void columns(std::span<const Index> indices, MatrixRef out) const override {
    for (std::size_t c = 0; c < indices.size(); ++c) {
      const Index b = indices[c] / TileLayout::block, within = indices[c] % TileLayout::block;
      for (Index i = 0; i < layout_.blocks(); ++i) {
        const TileRef<T> t = i >= b ? tile(i, b) : tile(b, i);
        for (Index r = 0; r < layout_.length(i); ++r)
          out(layout_.start(i) + r, static_cast<Index>(c)) =
              static_cast<double>(i >= b ? t.row(r)[within] : t.row(within)[r]);
      }
    }
    count_entries(size() * static_cast<Index>(indices.size()));
  }

  void exact_block(std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) const override {
    exact_(rows, columns, out);
    count_entries(static_cast<Index>(rows.size() * columns.size()));
  }

 private:
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void count_entries(Index entries) const {
    entries_ += entries;
    counts_.kernel_columns = (entries_ + size() - 1) / size();
  }

  // sum(block i) += tile V(block j), or for the transpose sum(block j) += tile' V(block i).
  void accumulate(blas::Op op, Index i, Index j, const RowMajor& V, RowMajor& product, Matrix& sum) const {
    const TileRef<T> t = tile(i, j);
    const Index to = op == blas::Op::none ? i : j, from = op == blas::Op::none ? j : i, w = V.cols();
    blas::gemm(op, blas::Op::none, layout_.length(to), w, layout_.length(from), T{1}, t.data, t.stride,
               V.data() + layout_.start(from) * w, w, T{0}, product.data(), w);
    sum.middleRows(layout_.start(to), layout_.length(to)) +=
        product.topRows(layout_.length(to)).template cast<double>();
  }

  TileLayout layout_;
  HugeBuffer buffer_;
  int threads_;
  Vector diagonal_{};
  ExactBlock exact_{};
  mutable GramCounts counts_{};
  mutable Index entries_ = 0;  // single ones evaluated
};

// A positive semi-definite kernel is largest on its diagonal, so looking there is looking everywhere.
template <class T>
void require_representable(const Vector& diagonal) {
  const double largest = diagonal.cwiseAbs().maxCoeff(), n = static_cast<double>(diagonal.size());
  // Solvers work in float64 with squares of eigenvalues, which have to fit, too.
  constexpr bool narrow = precision_of<T> == Precision::float32;
  constexpr double lowest = narrow ? 1e8 * static_cast<double>(std::numeric_limits<T>::min()) : 1e-140;
  constexpr double highest = narrow ? 0.1 * static_cast<double>(std::numeric_limits<T>::max()) : 1e150;
  const char* advice = precision_of<T> == Precision::float32 ? ", or use precision float64" : "";
  if (!(largest * n < highest))
    throw DataError(
        fmt::format("kernel values reach {:.3g}, too large for {}: scale the data or lower gamma or degree{}", largest,
                    to_string(precision_of<T>), advice));
  if (largest > 0 && largest < lowest)
    throw DataError(fmt::format("kernel values are at most {:.3g}, too small for {}: scale the data{}", largest,
                                to_string(precision_of<T>), advice));
}

// Rows of either kind, widened.
template <class T>
class WideRows {
 public:
  template <class Pick>
  WideRows(const DenseRows<T>& X, Index count, const Pick& pick) : cols_(X.cols), offsets_{} {
    for (Index i = 0; i < count; ++i) values_.insert(values_.end(), X.row(pick(i)), X.row(pick(i)) + X.cols);
    rows_ = count;
  }
  template <class Pick>
  WideRows(const SparseRows<T>& X, Index count, const Pick& pick) : cols_(X.cols), offsets_{0} {
    for (Index i = 0; i < count; ++i) {
      const Index begin = X.offsets[pick(i)], end = X.offsets[pick(i) + 1];
      values_.insert(values_.end(), X.values + begin, X.values + end);
      columns_.insert(columns_.end(), X.columns + begin, X.columns + end);
      offsets_.push_back(static_cast<Index>(values_.size()));
    }
    rows_ = count;
  }
  [[nodiscard]] DenseRows<double> view(const DenseRows<T>&) const { return {values_.data(), rows_, cols_, cols_}; }
  [[nodiscard]] SparseRows<double> view(const SparseRows<T>&) const {
    return {offsets_.data(), columns_.data(), values_.data(), rows_, cols_};
  }

 private:
  Index rows_ = 0, cols_;
  std::vector<double> values_{};
  std::vector<Index> offsets_;
  std::vector<std::int32_t> columns_{};
};

template <class T, class Rows>
ExactBlock exact_from_rows(std::shared_ptr<const Kernel> kernel, const Rows& X, int threads) {
  return [kernel = std::move(kernel), X, threads](std::span<const Index> rows, std::span<const Index> columns,
                                                  MatrixRef out) {
    const WideRows<T> right(X, static_cast<Index>(columns.size()),
                            [&](Index i) { return columns[static_cast<std::size_t>(i)]; });
    constexpr Index block = 256;
    parallel_for((out.rows() + block - 1) / block, threads, [&](Index b, int) {
      const Index begin = b * block, count = std::min(block, out.rows() - begin);
      const WideRows<T> left(X, count, [&](Index i) { return rows[static_cast<std::size_t>(begin + i)]; });
      kernel->tile(left.view(X), right.view(X), {&out(begin, 0), count, out.cols(), out.outerStride()});
    });
  };
}

template <class T, class Rows>
std::unique_ptr<GramOperator> assemble(const std::shared_ptr<const Kernel>& kernel, const Rows& X, int threads,
                                       const Observer& observe, ExactBlock exact) {
  Vector diagonal(X.rows);
  kernel->diagonal(X, diagonal.data());
  require_representable<T>(diagonal);
  auto gram = std::make_unique<StoredGram<T>>(X.rows, threads);
  gram->set_diagonal(std::move(diagonal));
  gram->set_exact(exact ? std::move(exact) : exact_from_rows<T>(kernel, X, threads));
  const TileLayout& layout = gram->layout();
  std::atomic<Index> done{0};
  parallel_for(layout.tiles(), threads, [&](Index t, int thread) {
    const auto [i, j] = layout.tile(t);
    kernel->tile(X.slice(layout.start(i), layout.length(i)), X.slice(layout.start(j), layout.length(j)),
                 gram->tile(i, j));
    const double fraction = static_cast<double>(++done) / static_cast<double>(layout.tiles());
    if (thread == 0 && observe && !observe({.stage = Progress::Stage::gram, .fraction = fraction}))
      throw Interrupted("stopped while the Gram matrix was being computed; there is no model to keep");
  });
  return gram;
}

void require_symmetric(const SamplesView& K) {
  if (K.rows() != K.cols())
    throw DataError(fmt::format("a precomputed kernel matrix must be square, this one is {} x {}", K.rows(), K.cols()));
  double largest = 0, worst = 0;
  Index at_i = 0, at_j = 0;
  constexpr Index square = 64;  // small squares, so that K(j, i) does not miss the cache at every step
  for (Index i0 = 0; i0 < K.rows(); i0 += square)
    for (Index j0 = 0; j0 <= i0; j0 += square)
      for (Index i = i0; i < std::min(K.rows(), i0 + square); ++i)
        for (Index j = j0; j < std::min(i + 1, j0 + square); ++j) {
          largest = std::max(largest, std::abs(K(i, j)));
          const double difference = std::abs(K(i, j) - K(j, i));
          if (difference > worst) worst = difference, at_i = i, at_j = j;
        }
  const double allowed = K.precision() == Precision::float32 ? 1e-5 : 1e-8;
  if (worst > allowed * largest)
    throw DataError(
        fmt::format("a precomputed kernel matrix must be symmetric: entry ({}, {}) is {:.6g} and ({}, {}) is {:.6g}",
                    at_i + 1, at_j + 1, K(at_i, at_j), at_j + 1, at_i + 1, K(at_j, at_i)));
}

template <class T>
std::unique_ptr<GramOperator> copy_tiles(const SamplesView& K, int threads) {
  Vector diagonal(K.rows());
  for (Index i = 0; i < K.rows(); ++i) diagonal[i] = K(i, i);
  require_representable<T>(diagonal);
  auto gram = std::make_unique<StoredGram<T>>(K.rows(), threads);
  gram->set_diagonal(std::move(diagonal));
  gram->set_exact([K](std::span<const Index> rows, std::span<const Index> columns, MatrixRef out) {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < columns.size(); ++c)
        out(static_cast<Index>(r), static_cast<Index>(c)) = K(rows[r], columns[c]);
  });
  const TileLayout& layout = gram->layout();
  parallel_for(layout.tiles(), threads, [&](Index t, int) {
    const auto [i, j] = layout.tile(t);
    const TileRef<T> out = gram->tile(i, j);
    for (Index r = 0; r < out.rows; ++r)
      for (Index c = 0; c < out.cols; ++c) {
        const auto value = static_cast<T>(K(layout.start(i) + r, layout.start(j) + c));
        out.row(r)[c] = std::abs(value) < std::numeric_limits<T>::min() ? T{0} : value;
      }
  });
  return gram;
}

}  // namespace

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const DenseRows<float>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return assemble<float>(kernel, X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const DenseRows<double>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return assemble<double>(kernel, X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const SparseRows<float>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return assemble<float>(kernel, X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_stored_gram(std::shared_ptr<const Kernel> kernel, const SparseRows<double>& X,
                                               int threads, const Observer& observe, ExactBlock exact) {
  return assemble<double>(kernel, X, threads, observe, std::move(exact));
}

std::unique_ptr<GramOperator> make_precomputed_gram(const SamplesView& K, Precision precision, int threads) {
  require_symmetric(K);
  return precision == Precision::float32 ? copy_tiles<float>(K, threads) : copy_tiles<double>(K, threads);
}

std::size_t stored_gram_bytes(Index n, Precision precision) {
  return static_cast<std::size_t>(TileLayout(n).elements()) * bytes_of(precision);
}

}  // namespace dualkpca
