// Tests of joining the blocks of a stream.

#include <limits>

#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/sparse_text.hpp"

namespace dualkpca::collect_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A stream that returns the given blocks, and ignores `most`.
class Blocks : public DataStream {
 public:
  explicit Blocks(std::vector<Dataset> blocks) : blocks_(std::move(blocks)) {}
  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index cols() const override { return cols_; }
  [[nodiscard]] bool is_sparse() const override { return !blocks_.empty() && blocks_[0].samples.view().is_sparse(); }
  [[nodiscard]] const std::vector<std::string>& feature_names() const override { return names_; }
  [[nodiscard]] Dataset next(Index) override { return at_ < blocks_.size() ? blocks_[at_++] : Dataset{}; }

  Index rows_ = -1, cols_ = -1;
  std::vector<std::string> names_{};

 private:
  std::vector<Dataset> blocks_;
  std::size_t at_ = 0;
};

Matrix matrix(Index rows, Index cols, double first) {
  Matrix X(rows, cols);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = first + static_cast<double>(i);
  return X;
}

TEST(Collect, JoinsDenseBlocks) {
  Blocks blocks({{.samples = Samples(matrix(2, 2, 1)), .ids = {"a", "b"}, .labels = {"x", "y"}},
                 {.samples = Samples(matrix(1, 2, 5)), .ids = {"c"}, .labels = {"z"}}});
  blocks.names_ = {"p", "q"};
  const Dataset data = collect(blocks, "file");
  EXPECT_EQ(test::entries_of(data.samples.view()), " 0:1 1:2 / 0:3 1:4 / 0:5 1:6");
  EXPECT_EQ(data.samples.view().precision(), Precision::float64);
  EXPECT_THAT(data.ids, ElementsAre("a", "b", "c"));
  EXPECT_THAT(data.labels, ElementsAre("x", "y", "z"));
  EXPECT_THAT(data.feature_names, ElementsAre("p", "q"));
}

TEST(Collect, KeepsFloat32AndTakesAnyOrder) {
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const Samples block(nullptr, SamplesView(numbers.data(), Precision::float32, 3, 2, 1, 3));  // Fortran order
  Blocks blocks({{.samples = block}, {.samples = block.slice(1, 1)}});
  const Dataset data = collect(blocks, "file");
  EXPECT_EQ(data.samples.view().precision(), Precision::float32);
  EXPECT_EQ(test::entries_of(data.samples.view()), " 0:1 1:4 / 0:2 1:5 / 0:3 1:6 / 0:2 1:5");
}

TEST(Collect, JoinsSparseBlocksOfGrowingWidth) {
  const Samples first(CsrMatrix{{0, 1, 1, 3}, {0, 1, 2}, {1, 2, 3}, 3});
  const Samples second(CsrMatrix{{0, 1}, {6}, {9}, 7});
  Blocks blocks({{.samples = first.slice(1, 2)}, {.samples = second}, {.samples = first.slice(0, 2)}});
  const Dataset data = collect(blocks, "file");
  EXPECT_EQ(data.samples.view().cols(), 7);
  EXPECT_EQ(test::entries_of(data.samples.view()), " / 1:2 2:3 / 6:9 / 0:1 /");
  EXPECT_NO_THROW(data.samples.view().require_finite("file"));
}

TEST(Collect, RefusesNoRowsAndNoColumns) {
  Blocks none({});
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(collect(none, "file")); }),
              HasSubstr("file: the file is empty"));
  Blocks hollow({{.samples = Samples(CsrMatrix{{0, 0}, {}, {}, 0})}});
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(collect(hollow, "file")); }),
              HasSubstr("file: no row has an entry"));
}

TEST(Collect, RefusesMoreThanMemoryHolds) {
  Blocks blocks({{.samples = Samples(matrix(1, 2, 1))}});
  blocks.rows_ = Index{1} << 50, blocks.cols_ = 2;
  EXPECT_THAT(test::message_of<ResourceError>([&] { static_cast<void>(collect(blocks, "file")); }),
              HasSubstr("file: 1125899906842624 x 2 numbers need 16.00 PiB of memory and"));
}

TEST(Collect, RowsOfALargeFileStandInOrder) {
  const test::TempDir dir;
  std::string text = "id,a,b\n";
  for (int i = 0; i < 700000; ++i)
    text += "r" + std::to_string(i) + "," + std::to_string(i) + "," + std::to_string(-i) + "\n";
  const Dataset data = read_dataset(dir.write("data.csv", text), {.id_col = "id"});
  ASSERT_EQ(data.samples.view().rows(), 700000);
  for (int i = 0; i < 700000; ++i) {
    ASSERT_EQ(data.samples.view()(i, 1), -i);
    ASSERT_EQ(data.ids[i], "r" + std::to_string(i));
  }
}

}  // namespace
}  // namespace dualkpca::collect_test
