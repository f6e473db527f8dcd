// The file is cut into chunks for threads. Results and messages must not depend on the number of threads.

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::csv_threads_test {
namespace {

using ::testing::HasSubstr;

constexpr int rows = 60000;

std::string line(int i) {
  return std::to_string(i) + "," + std::to_string(i % 7) + ".25,l" + std::to_string(i) + "," + std::to_string(-i) +
         "e-3";
}

// Returns a table of about 1.6 MB, which is enough for six chunks.
std::string table(const std::string& header, int bad_row = -1, const std::string& bad_line = "") {
  std::string text = header;
  for (int i = 0; i < rows; ++i) text += (i == bad_row ? bad_line : line(i)) + "\n";
  return text;
}

class CsvThreads : public testing::TestWithParam<int> {
 protected:
  ReadOptions options() const { return {.label_col = "3", .threads = GetParam()}; }
  test::TempDir dir_;
};

void expect_table(const Dataset& data, int i) {
  const SamplesView& X = data.samples.view();
  ASSERT_EQ(X.rows(), rows);
  ASSERT_EQ(X.cols(), 3);
  ASSERT_EQ(X(i, 0), i);
  ASSERT_EQ(X(i, 1), i % 7 + 0.25);
  ASSERT_EQ(X(i, 2), std::stod(std::to_string(-i) + "e-3"));
  ASSERT_EQ(data.labels.size(), static_cast<std::size_t>(rows));
  ASSERT_EQ(data.labels[i], "l" + std::to_string(i));
}

TEST_P(CsvThreads, EveryRowIsInItsPlace) {
  const Dataset data = read_dataset(dir_.write("data.csv", table("a,b,l,c\n")), options());
  for (int i = 0; i < rows; ++i) expect_table(data, i);
}

TEST_P(CsvThreads, QuotedLineEndsStayInsideTheirRow) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + ",1,\"l\n\n" + std::to_string(i) + "\"\n";
  const Dataset data = read_dataset(dir_.write("data.csv", text), options());
  ASSERT_EQ(data.samples.view().rows(), rows);
  for (int i = 0; i < rows; ++i) ASSERT_EQ(data.labels[i], "l\n\n" + std::to_string(i));
  ASSERT_EQ(data.samples.view()(rows - 1, 0), rows - 1);
}

TEST_P(CsvThreads, ErrorsNameTheSameRowAndLine) {
  for (const int bad : {0, 1, 9999, 30000, 45678, rows - 1}) {
    const std::string path = dir_.write("data.csv", table("a,b,\"l\nl\",c\n", bad, "1,oops,l,2"));
    EXPECT_THAT(
        test::message_of<DataError>([&] { static_cast<void>(read_dataset(path, options())); }),
        HasSubstr("row " + std::to_string(bad + 1) + " (line " + std::to_string(bad + 3) + "), column 2 'b': 'oops'"));
  }
}

TEST_P(CsvThreads, TheFirstOfSeveralErrorsIsTold) {
  std::string text = table("a,b,l,c\n", 20000, "1,first,l,2");
  text += "1,second,l,2\n";
  const std::string path = dir_.write("data.csv", text);
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(read_dataset(path, options())); }),
              HasSubstr("'first'"));
}

// Each line is longer than a chunk.
TEST_P(CsvThreads, ALineMayBeLongerThanAChunk) {
  std::string text = "a,b,l,c\n";
  for (const char c : {'x', 'y', 'z'}) text += "1,2," + std::string(700000, c) + ",3\n";
  const Dataset data = read_dataset(dir_.write("data.csv", text), options());
  ASSERT_EQ(data.samples.view().rows(), 3);
  EXPECT_EQ(data.labels[1], std::string(700000, 'y'));
  EXPECT_EQ(data.samples.view()(2, 2), 3);
}

INSTANTIATE_TEST_SUITE_P(Counts, CsvThreads, testing::Values(0, 1, 2, 3, 5, 64));

}  // namespace
}  // namespace dualkpca::csv_threads_test
