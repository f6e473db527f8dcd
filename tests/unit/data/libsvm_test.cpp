// LIBSVM lines have the form "label index:value ..." with indices from 1.

#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/compress.hpp"
#include "unit/data/sparse_text.hpp"

namespace dualkpca::libsvm_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Libsvm : public testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options = {}) const {
    return read_dataset(dir_.write("data.libsvm", text), options);
  }
  template <class E = DataError>
  std::string refusal(std::string_view text, const ReadOptions& options = {}) const {
    const std::string path = dir_.write("data.libsvm", text);
    const std::string message = test::message_of<E>([&] { static_cast<void>(read_dataset(path, options)); });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  test::TempDir dir_;
};

TEST_F(Libsvm, ReadsSparseRowsAndLabels) {
  const Dataset data = read("+1 1:0.5 4:-2e1\n-1\n3 2:+7\n");
  EXPECT_TRUE(data.samples.view().is_sparse());
  EXPECT_EQ(data.samples.view().rows(), 3);
  EXPECT_EQ(data.samples.view().cols(), 4);
  EXPECT_EQ(test::entries_of(data.samples.view()), " 0:0.5 3:-20 / / 1:7");
  EXPECT_THAT(data.labels, ElementsAre("+1", "-1", "3"));
}

TEST_F(Libsvm, UnderstandsWhatFilesOfTheWorldHold) {
  const Dataset data =
      read("# made by hand\n\n1,3 1:1 # two labels\r\n   \n0.5\tqid:7  2:3\t5:4   \n2 3:0 # a zero\n#end\n\n");
  EXPECT_EQ(data.samples.view().cols(), 5);
  EXPECT_EQ(test::entries_of(data.samples.view()), " 0:1 / 1:3 4:4 /");
  EXPECT_THAT(data.labels, ElementsAre("1,3", "0.5", "2"));
}

TEST_F(Libsvm, AZeroCountsForTheWidth) {
  EXPECT_EQ(read("1 2:1 9:0\n").samples.view().cols(), 9);
  EXPECT_EQ(read("1 2147483647:1\n").samples.view().cols(), 2147483647);
}

TEST_F(Libsvm, TheWidthCanBeGiven) {
  EXPECT_EQ(read("1 2:1\n", {.n_features = 10}).samples.view().cols(), 10);
  EXPECT_EQ(read("1\n2\n", {.n_features = 10}).samples.view().cols(), 10);
  EXPECT_THAT(refusal("1 2:1\n1 11:1\n", {.n_features = 10}),
              HasSubstr("line 2: '11:1': the index is larger than the number of features, 10"));
  EXPECT_THROW(static_cast<void>(read("1 2:1\n", {.n_features = -1})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(read("1 2:1\n", {.n_features = Index{1} << 31})), InvalidArgument);
}

TEST_F(Libsvm, RefusesBadIndices) {
  EXPECT_THAT(refusal("1 1:1\n1 0:1 1:2\n"),
              HasSubstr("line 2: '0:1': indices start at 1; the file seems to count from 0"));
  EXPECT_THAT(refusal("1 -3:1\n"), HasSubstr("line 1: '-3:1': the index is negative; indices start at 1"));
  EXPECT_THAT(refusal("1 1:1\n# c\n\n1 3:1 2:1\n"), HasSubstr("line 4: '2:1': index 2 comes after 3"));
  EXPECT_THAT(refusal("1 3:1 3:1\n"), HasSubstr("index 3 appears twice"));
  for (const std::string index : {"2147483648", "99999999999999999999999999"})
    EXPECT_THAT(refusal("1 " + index + ":1\n"), HasSubstr("'" + index + ":1': the index is larger than 2147483647"));
  EXPECT_THAT(refusal("1 1.5:1\n"), HasSubstr("'1.5' is not an index"));
  EXPECT_THAT(refusal("1 :1\n"), HasSubstr("is not an index"));
  EXPECT_THAT(refusal("1 1:1 qid:3\n"), HasSubstr("'qid' is not an index"));
}

TEST_F(Libsvm, RefusesBadValues) {
  for (const std::string value : {"", "nan", "NA"})
    EXPECT_THAT(refusal("1 1:" + value + "\n"), HasSubstr("the value is missing"));
  EXPECT_THAT(refusal("1 1:inf\n"), HasSubstr("infinite"));
  EXPECT_THAT(refusal("1 1:-1e999\n"), HasSubstr("too large"));
  for (const std::string value : {"x", "1x", "1:2", "0x10", "--1"})
    EXPECT_THAT(refusal("1 1:" + value + "\n"), HasSubstr("'" + value + "' is not a number"));
  EXPECT_THAT(refusal("1 1:1 7\n"), HasSubstr("'7' is not an entry"));
}

TEST_F(Libsvm, RefusesBadLabels) {
  EXPECT_THAT(refusal("1 1:1\n2:3 4:5\n"), HasSubstr("line 2: the label is missing: the line begins with '2:3'"));
  for (const std::string label : {"x", "1,", ",1", "1,,2", "1;2", "nan"})
    EXPECT_THAT(refusal(label + " 1:1\n"), HasSubstr("'" + label + "' is not a label")) << label;
}

TEST_F(Libsvm, RefusesFilesWithoutRowsOrEntries) {
  for (const std::string_view text : {"", "\n\n", "# nothing\n#\n"}) EXPECT_THAT(refusal(text), HasSubstr("empty"));
  EXPECT_THAT(refusal("1\n2\n"), HasSubstr("no row has an entry"));
}

TEST_F(Libsvm, RefusesGarbage) {
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 37 % 256);
  EXPECT_THAT(refusal(garbage), HasSubstr("line 1"));
  EXPECT_THAT(refusal(std::string_view("1 1:1\n\0\n", 8)), HasSubstr("line 2: '?' is not a label"));
  EXPECT_THAT(refusal(std::string_view("1 1:\0\n", 6)), HasSubstr("line 1"));
}

TEST_F(Libsvm, HasNoNamedColumns) {
  EXPECT_THAT(refusal<InvalidArgument>("1 1:1\n", {.label_col = "1"}),
              AllOf(HasSubstr("label_col"), HasSubstr("a LIBSVM file has no named columns")));
}

// Returns a file of about 12 MB, which has several blocks of several chunks.
std::string large(int rows, int bad_row = -1) {
  std::string text = "# comment\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i % 10) + " 1:" + std::to_string(i) + " " + std::to_string(2 + i % 1000) +
            (i == bad_row ? ":oops" : ":0.25") + "\n";
  return text;
}

TEST_F(Libsvm, RowsStandInOrderWhateverTheThreads) {
  constexpr int rows = 500000;
  const std::string path = dir_.write("data.svm.gz", test::gzip(large(rows)));
  for (const int threads : {1, 2, 5}) {
    const Dataset data = read_dataset(path, {.threads = threads});
    const SparseRows<double> X = data.samples.view().sparse<double>();
    ASSERT_EQ(X.rows, rows);
    ASSERT_EQ(X.cols, 1001);
    ASSERT_EQ(data.labels.size(), static_cast<std::size_t>(rows));
    ASSERT_NO_THROW(data.samples.view().require_finite("data"));
    for (int i = 0; i < rows; ++i) {
      ASSERT_EQ(data.samples.view()(i, 0), i);
      ASSERT_EQ(data.samples.view()(i, 1 + i % 1000), 0.25);
      ASSERT_EQ(data.labels[i], std::to_string(i % 10));
    }
  }
}

TEST_F(Libsvm, ErrorsNameTheSameLineWhateverTheThreads) {
  for (const int threads : {1, 2, 5})
    EXPECT_THAT(refusal(large(500000, 432100), {.threads = threads}), HasSubstr("line 432102: '102:oops'"));
}

TEST_F(Libsvm, StreamsBlocksOfAnySize) {
  const std::string path = dir_.write("data.libsvm", large(300000));
  const auto stream = open_dataset(path);
  EXPECT_EQ(stream->rows(), -1);
  EXPECT_EQ(stream->cols(), -1);
  EXPECT_TRUE(stream->is_sparse());
  Index rows = 0;
  for (Dataset block = stream->next(70001); block.samples.view().rows() > 0; block = stream->next(70001)) {
    const SamplesView& X = block.samples.view();
    ASSERT_LE(X.rows(), 70001);
    ASSERT_EQ(block.labels.size(), static_cast<std::size_t>(X.rows()));
    for (Index i = 0; i < X.rows(); ++i, ++rows) ASSERT_EQ(X(i, 0), rows);
  }
  EXPECT_EQ(rows, 300000);
  EXPECT_EQ(stream->next(1).samples.view().rows(), 0);
  EXPECT_EQ(open_dataset(path, {.n_features = 2000})->cols(), 2000);
}

}  // namespace
}  // namespace dualkpca::libsvm_test
