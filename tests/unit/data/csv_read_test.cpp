// Texts that the CSV and TSV reader accepts, and their values.

#include <sys/stat.h>

#include <thread>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::csv_read_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> numbers_of(const Dataset& data) {
  const SamplesView& X = data.samples.view();
  std::vector<double> numbers;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) numbers.push_back(X(i, j));
  return numbers;
}

class CsvRead : public testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options = {}) const {
    return read_dataset(dir_.write("data.csv", text), options);
  }
  test::TempDir dir_;
};

TEST_F(CsvRead, TakesRowsAsSamples) {
  const Dataset data = read("1,2,3\n4,5,6\n");
  EXPECT_EQ(data.samples.view().rows(), 2);
  EXPECT_EQ(data.samples.view().cols(), 3);
  EXPECT_EQ(data.samples.view().precision(), Precision::float64);
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(data.feature_names, IsEmpty());
  EXPECT_THAT(data.labels, IsEmpty());
  EXPECT_THAT(data.ids, IsEmpty());
}

TEST_F(CsvRead, DetectsAHeader) {
  const Dataset data = read("height,width\n1,2\n");
  EXPECT_THAT(data.feature_names, ElementsAre("height", "width"));
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2));
}

TEST_F(CsvRead, OneTextFieldMakesAHeader) {
  EXPECT_THAT(read("2019,2020,x\n1,2,3\n").feature_names, ElementsAre("2019", "2020", "x"));
}

TEST_F(CsvRead, TextInColumnsGivenByNumberMakesNoHeader) {
  const Dataset data = read("a,1,x,2\nb,3,y,4\n", {.label_col = "1", .id_col = "3"});
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(data.labels, ElementsAre("a", "b"));
  EXPECT_THAT(data.ids, ElementsAre("x", "y"));
  EXPECT_THAT(data.feature_names, IsEmpty());
}

TEST_F(CsvRead, NumberedLabelColumnDoesNotHideAHeader) {
  const Dataset data = read("class,a,b\nx,1,2\n", {.label_col = "1"});
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b"));
  EXPECT_THAT(data.labels, ElementsAre("x"));
}

TEST_F(CsvRead, TakesLabelsAndIdsByName) {
  const Dataset data = read("name,a,class,b\nr1,1,0,2\nr2,3,1.50,4\n", {.label_col = "class", .id_col = "name"});
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(data.labels, ElementsAre("0", "1.50"));  // labels are text, not numbers
  EXPECT_THAT(data.ids, ElementsAre("r1", "r2"));
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b"));
}

TEST_F(CsvRead, ANamedColumnMakesAHeaderOfMissingWords) {
  const Dataset data = read("1,NA\n5,x\n", {.label_col = "NA"});
  EXPECT_THAT(data.feature_names, ElementsAre("1"));
  EXPECT_THAT(data.labels, ElementsAre("x"));
}

TEST_F(CsvRead, LabelsMayBeEmptyOrSayNaN) {
  EXPECT_THAT(read("a,l\n1,\n2,NaN\n3,x\n", {.label_col = "l"}).labels, ElementsAre("", "NaN", "x"));
}

TEST_F(CsvRead, BlanksAroundTextAreNotPartOfIt) {
  const Dataset data = read("name , a ,\tl\t\nr 1, 1, x \n r2 ,2,y\n", {.label_col = "l", .id_col = "name"});
  EXPECT_THAT(data.feature_names, ElementsAre("a"));
  EXPECT_THAT(data.labels, ElementsAre("x", "y"));
  EXPECT_THAT(data.ids, ElementsAre("r 1", "r2"));
}

TEST_F(CsvRead, UnderstandsQuotes) {
  const Dataset data =
      read("\"a, b\",\"c\"\"d\",\"e\nf\"\n\"1\",\" 2 \",\"x\n,\"\"y\"\"\"\n3,4,\" z \"\n", {.label_col = "3"});
  EXPECT_THAT(data.feature_names, ElementsAre("a, b", "c\"d"));
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(data.labels, ElementsAre("x\n,\"y\"", " z "));
}

TEST_F(CsvRead, AQuoteInsideAnUnquotedFieldIsText) {
  EXPECT_THAT(read("a,l\n1,5\" pipe\n", {.label_col = "l"}).labels, ElementsAre("5\" pipe"));
}

TEST_F(CsvRead, AcceptsLineEndsOfWindows) {
  const Dataset data = read("a,l\r\n1,x\r\n2,\"y\"\r\n\r\n", {.label_col = "l"});
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2));
  EXPECT_THAT(data.labels, ElementsAre("x", "y"));
}

TEST_F(CsvRead, SkipsAByteOrderMark) {
  EXPECT_THAT(read("\xef\xbb\xbf"
                   "a,b\n1,2\n")
                  .feature_names,
              ElementsAre("a", "b"));
  EXPECT_THAT(numbers_of(read("\xef\xbb\xbf"
                              "1,2\n")),
              ElementsAre(1, 2));
}

TEST_F(CsvRead, IgnoresBlankLinesAtTheEnd) {
  EXPECT_THAT(numbers_of(read("1,2\n3,4\n\n  \n\r\n\n")), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(numbers_of(read("1,2\n3,4")), ElementsAre(1, 2, 3, 4));
}

TEST_F(CsvRead, AcceptsBlanksAndPlusSignsAroundNumbers) {
  EXPECT_THAT(numbers_of(read(" 1 ,\t+2\t, +.5,-3e+2 \n1.,1E2 ,-0.25, 7 \n")),
              ElementsAre(1, 2, 0.5, -300, 1, 100, -0.25, 7));
}

TEST_F(CsvRead, KeepsEveryBitOfANumber) {
  const auto numbers = numbers_of(read("0.1,1.7976931348623157e308,4.9406564584124654e-324,9007199254740993\n"));
  EXPECT_THAT(numbers, ElementsAre(0.1, std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min(),
                                   9007199254740992.0));
}

TEST_F(CsvRead, NumbersTooSmallForFloat64AreZero) {
  const std::string tiny = "0." + std::string(400, '0') + "1";
  EXPECT_THAT(numbers_of(read("1e-999,-1e-400,1e-99999999999999999999,0.0001e-330," + tiny + "\n")),
              ElementsAre(0, 0, 0, 0, 0));
}

TEST_F(CsvRead, OneColumnWorks) {
  EXPECT_THAT(numbers_of(read("1\n2\n3")), ElementsAre(1, 2, 3));
  const Dataset data = read("x\n1\n2\n");
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2));
}

TEST_F(CsvRead, TabsSeparateTsv) {
  const Dataset data = read_dataset(dir_.write("data.TSV", "a, 1\tb\n 1\t2 \n"));
  EXPECT_THAT(data.feature_names, ElementsAre("a, 1", "b"));
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2));
}

TEST_F(CsvRead, AnyOfSixDelimitersCanBeAskedFor) {
  EXPECT_THAT(numbers_of(read_csv(dir_.write("data.txt", "1;2\n3;4\n"), ';')), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(numbers_of(read_csv(dir_.write("data.txt", "1 2\n3 4\n"), ' ')), ElementsAre(1, 2, 3, 4));
  EXPECT_THROW(static_cast<void>(read_csv(dir_.write("data.txt", "1-2"), '-')), InvalidArgument);
}

TEST_F(CsvRead, ReadsAPipe) {
  const std::string fifo = dir_.path("pipe.csv");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string text = "a,b\n";
  for (int i = 0; i < 50000; ++i) text += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  std::thread writer([&] { std::ofstream(fifo) << text; });
  const Dataset data = read_dataset(fifo);
  writer.join();
  ASSERT_EQ(data.samples.view().rows(), 50000);
  EXPECT_EQ(data.samples.view()(49999, 1), 99998);
}

TEST_F(CsvRead, SamplesOutliveTheFile) {
  const Dataset data = read("1,2\n3,4\n");
  std::filesystem::remove(dir_.path("data.csv"));
  EXPECT_THAT(numbers_of(data), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace dualkpca::csv_read_test
