// A CSV file that is larger than a block. Rows, quoted records and the places in messages continue across blocks.

#include <limits>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/compress.hpp"

namespace dualkpca::csv_stream_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int rows = 300000;

std::string table(int bad_row = -1) {
  std::string text = "a,\"the\nlabel\",b\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i) + ",l" + std::to_string(i) + (i == bad_row ? ",oops\n" : ",0.125\n");
  return text;
}

std::string quoted_table() {
  std::string text = "a,label\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + ",\"line\n\n\"\"line\"\" " + std::to_string(i) + "\"\n";
  return text;
}

class CsvStream : public testing::Test {
 protected:
  std::string refusal(const std::string& text, const ReadOptions& options = {}) const {
    const std::string path = dir_.write("data.csv", text);
    return test::message_of<DataError>([&] { static_cast<void>(read_dataset(path, options)); });
  }
  test::TempDir dir_;
};

TEST_F(CsvStream, GivesAtMostWhatIsAskedFor) {
  const auto stream = open_dataset(dir_.write("data.csv.gz", test::gzip(table())), {.label_col = "2"});
  EXPECT_EQ(stream->rows(), -1);
  EXPECT_EQ(stream->cols(), 2);
  EXPECT_FALSE(stream->is_sparse());
  EXPECT_THAT(stream->feature_names(), ElementsAre("a", "b"));
  int row = 0;
  for (Dataset block = stream->next(40000); block.samples.view().rows() > 0; block = stream->next(40000)) {
    ASSERT_LE(block.samples.view().rows(), 40000);
    ASSERT_EQ(block.labels.size(), static_cast<std::size_t>(block.samples.view().rows()));
    for (Index i = 0; i < block.samples.view().rows(); ++i, ++row) {
      ASSERT_EQ(block.samples.view()(i, 0), row);
      ASSERT_EQ(block.labels[i], "l" + std::to_string(row));
    }
  }
  EXPECT_EQ(row, rows);
  EXPECT_EQ(stream->next(1).samples.view().rows(), 0);
}

TEST_F(CsvStream, QuotesMayHoldTheEndOfABlock) {
  const Dataset data = read_dataset(dir_.write("data.csv", quoted_table()), {.label_col = "label"});
  ASSERT_EQ(data.samples.view().rows(), rows);
  for (int i = 0; i < rows; ++i) {
    ASSERT_EQ(data.samples.view()(i, 0), i);
    ASSERT_EQ(data.labels[i], "line\n\n\"line\" " + std::to_string(i));
  }
}

TEST_F(CsvStream, ARecordMayBeLongerThanABlock) {
  std::string text = "1,\"";
  for (int i = 0; i < 1000000; ++i) text += "0123456789\n";
  const Dataset data = read_dataset(dir_.write("data.csv", text + "\"\n2,x\n"), {.label_col = "2"});
  ASSERT_EQ(data.samples.view().rows(), 2);
  EXPECT_EQ(data.labels[0].size(), 11000000u);
  EXPECT_EQ(data.labels[1], "x");
}

TEST_F(CsvStream, MessagesCountFromTheBeginningOfTheFile) {
  for (const int bad : {0, 250000, rows - 1})
    EXPECT_THAT(refusal(table(bad), {.label_col = "2"}),
                HasSubstr("row " + std::to_string(bad + 1) + " (line " + std::to_string(bad + 3) + "), column 3 'b'"));
  EXPECT_THAT(refusal(quoted_table() + "x,y\n", {.label_col = "2"}),
              HasSubstr("row 300001 (line 900002), column 1 'a': 'x'"));
}

TEST_F(CsvStream, AQuoteThatIsNeverClosed) {
  EXPECT_THAT(refusal(quoted_table() + "1,\"open\n2,x\n", {.label_col = "2"}),
              HasSubstr("row 300001 (line 900002): the quote before 'open?2,x' is never closed"));
  const std::string lines = std::string(79, 'x') + "\n";
  std::string endless = "1,a\n2,\"";
  while (endless.size() < (std::size_t{70} << 20)) endless += lines;
  EXPECT_THAT(refusal(endless, {.label_col = "2"}), HasSubstr("row 2 (line 2): a quote is not closed within 64 MiB"));
}

TEST_F(CsvStream, BlankLinesBetweenBlocks) {
  std::string text = "1,2\n";
  text += std::string(std::size_t{5} << 20, '\n');
  EXPECT_EQ(read_dataset(dir_.write("data.csv", text)).samples.view().rows(), 1);
  EXPECT_THAT(refusal(text + "3,4\n"), HasSubstr("row 2 (line 2) is blank"));
}

TEST_F(CsvStream, ObserverStopsIt) {
  const ReadOptions options{.label_col = "2", .observe = [](const Progress&) { return false; }};
  const std::string path = dir_.write("data.csv", table());
  EXPECT_THAT(test::message_of<Interrupted>([&] { static_cast<void>(read_dataset(path, options)); }),
              HasSubstr("stopped while"));
}

}  // namespace
}  // namespace dualkpca::csv_stream_test
