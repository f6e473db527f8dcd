// Texts that the CSV reader refuses. A message must name the file, the place, what was found and what is accepted.

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::csv_refuse_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CsvRefuse : public testing::Test {
 protected:
  template <class E = DataError>
  std::string refusal(std::string_view text, const ReadOptions& options = {},
                      const std::string& name = "data.csv") const {
    const std::string path = dir_.write(name, text);
    const std::string message = test::message_of<E>([&] { static_cast<void>(read_dataset(path, options)); });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  test::TempDir dir_;
};

TEST_F(CsvRefuse, EveryWordForAMissingValue) {
  for (const std::string word : {"", "NA", "NaN", "nan", "null", "?", " ", " NA ", "-nan", "NAN", "\"\"", "\"NA\""})
    EXPECT_THAT(refusal("height,width\n1,2\n3," + word + "\n5,6\n"),
                AllOf(HasSubstr("row 2 (line 3), column 2 'width'"), HasSubstr("missing"), HasSubstr("finite numbers")))
        << word;
}

TEST_F(CsvRefuse, MissingValuesDoNotMakeAHeader) {
  EXPECT_THAT(refusal("1,NA\n3,4\n"), AllOf(HasSubstr("row 1 (line 1), column 2:"), HasSubstr("'NA'")));
  EXPECT_THAT(refusal(",1\n3,4\n"), AllOf(HasSubstr("row 1 (line 1), column 1:"), HasSubstr("missing")));
}

TEST_F(CsvRefuse, InfinityAndNumbersTooLarge) {
  for (const std::string word : {"inf", "-inf", "Infinity", "+INF"})
    EXPECT_THAT(refusal("1," + word + "\n"),
                AllOf(HasSubstr("row 1 (line 1), column 2"), HasSubstr(word + "' is infinite")));
  const std::string digits(400, '9');
  for (const std::string& number : {std::string("1e999"), std::string("-1e309"), std::string("1e99999999999999999999"),
                                    std::string("100e9223372036854775807"), digits, digits + "e-1", "0.01e+" + digits})
    EXPECT_THAT(refusal("1," + number + "\n"), AllOf(HasSubstr("column 2"), HasSubstr("too large"))) << number;
}

TEST_F(CsvRefuse, TextInANumberColumn) {
  EXPECT_THAT(refusal("a,b\n1,2\n3,tall\n"),
              AllOf(HasSubstr("row 2 (line 3), column 2 'b'"), HasSubstr("'tall' is not a number")));
  for (const std::string text : {"1x", "1e", "0x10", "--1", "+-1", "+", "-", ".", "1 2", "e5", "1.2.3", "1_000"})
    EXPECT_THAT(refusal("a,b\n1," + text + "\n"), HasSubstr("'" + text + "' is not a number"));
}

TEST_F(CsvRefuse, ShowsOnlyTheBeginningOfLongGarbage) {
  const std::string message = refusal("a\n" + std::string(5000, 'z') + "\n");
  EXPECT_THAT(message, AllOf(HasSubstr("'zzzz"), HasSubstr("...'")));
  EXPECT_LT(message.size(), 300u + dir_.path("").size());
  // message_of() checks that control characters are gone.
  EXPECT_THAT(refusal(std::string_view("a\n\x1b[31m\x00\x07 1\n", 12)), HasSubstr("'?[31m?? 1'"));
}

TEST_F(CsvRefuse, RaggedRows) {
  EXPECT_THAT(refusal("a,b,c\n1,2,3\n4,5\n"),
              AllOf(HasSubstr("row 2 (line 3): 2 fields found, 3 expected as in the header")));
  EXPECT_THAT(refusal("1,2\n3,4\n5,6,7\n"), HasSubstr("row 3 (line 3): 3 fields found, 2 expected as in row 1"));
  EXPECT_THAT(refusal("a,b\n1\n"), HasSubstr("row 1 (line 2): 1 field found, 2 expected"));
  // A wrong number of fields is reported before a wrong field, because it explains more.
  EXPECT_THAT(refusal("a,b\nx,1,5\n"), HasSubstr("3 fields found"));
}

TEST_F(CsvRefuse, BlankLinesBetweenRows) {
  EXPECT_THAT(refusal("1,2\n\n3,4\n"), HasSubstr("row 2 (line 2) is blank"));
  EXPECT_THAT(refusal("1,2\r\n\r\n3,4\r\n"), HasSubstr("row 2 (line 2) is blank"));
  EXPECT_THAT(refusal("1,2\n  \n3,4\n"), HasSubstr("row 2 (line 2) is blank"));
  EXPECT_THAT(refusal("x\n1\n\n3\n"), AllOf(HasSubstr("row 2 (line 3), column 1 'x'"), HasSubstr("missing")));
}

TEST_F(CsvRefuse, CountsLinesInsideQuotes) {
  EXPECT_THAT(refusal("\"a\nb\",l\n1,\"x\ny\nz\"\n2,\"u\nv\"\nbad,w\n", {.label_col = "2"}),
              HasSubstr("row 3 (line 8), column 1 'a?b': 'bad'"));
}

TEST_F(CsvRefuse, WrongQuotes) {
  EXPECT_THAT(refusal("a,b\n1,2\n3,\"4\n5,6\n"), AllOf(HasSubstr("row 2 (line 3)"), HasSubstr("never closed")));
  EXPECT_THAT(refusal("a,b\n1,\"2\"3\n"), AllOf(HasSubstr("row 1 (line 2)"), HasSubstr("after the closing quote")));
  EXPECT_THAT(refusal("a,\"b\n1,2\n"), AllOf(HasSubstr("first line"), HasSubstr("never closed")));
  EXPECT_THAT(refusal("a,b,l\n1,2,\"x\n", {.label_col = "l"}), HasSubstr("never closed"));
}

TEST_F(CsvRefuse, FilesWithoutRows) {
  for (const std::string_view text : {"", "\n\n", "\xef\xbb\xbf", " \r\n"})
    EXPECT_THAT(refusal(text), HasSubstr("empty"));
  EXPECT_THAT(refusal("a,b\n"), HasSubstr("header but no row"));
  EXPECT_THAT(refusal("a,b"), HasSubstr("header but no row"));
}

TEST_F(CsvRefuse, OtherDelimitersAreNamed) {
  EXPECT_THAT(refusal("a;b;c\n1;2;3\n"), HasSubstr("fields look separated by ';', not ','"));
  EXPECT_THAT(refusal("1;2;3\n4;5;6\n"), HasSubstr("fields look separated by ';'"));
  EXPECT_THAT(refusal("1;2;3\n"), HasSubstr("fields look separated by ';'"));
  EXPECT_THAT(refusal("a;b\n1,5;2,5\n"), HasSubstr("fields look separated by ';'"));
  EXPECT_THAT(refusal("a\tb\n1\t2\n"), HasSubstr("fields look separated by tabs, not ','"));
  EXPECT_THAT(refusal("a,b\n1,2\n", {}, "data.tsv"), HasSubstr("fields look separated by ',', not tabs"));
  EXPECT_THAT(refusal<InvalidArgument>("a;class\n1;2\n", {.label_col = "class"}),
              HasSubstr("fields look separated by ';'"));
  EXPECT_THAT(refusal("1,2\n3\n"), Not(HasSubstr("fields look")));
  EXPECT_THAT(refusal("a,b\r\n1,2,3\r\n"), Not(HasSubstr("CR")));
}

TEST_F(CsvRefuse, LinesThatEndWithCarriageReturnAlone) {
  EXPECT_THAT(refusal("a\r1\r2\r3"), HasSubstr("not CR alone"));
  EXPECT_THAT(refusal("1,2\n3,4\r5,6\n"), HasSubstr("row 2 (line 2)"));
}

TEST_F(CsvRefuse, Utf16) {
  EXPECT_THAT(refusal(std::string_view("\xff\xfe"
                                       "1\0,\0",
                                       6)),
              HasSubstr("UTF-16"));
}

TEST_F(CsvRefuse, LabelColumnThatIsNotThere) {
  const auto message = refusal<InvalidArgument>("height,width,class\n1,2,x\n", {.label_col = "clas"});
  EXPECT_THAT(message, AllOf(HasSubstr("label_col 'clas' is not a column"), HasSubstr("did you mean 'class'?"),
                             HasSubstr("'height', 'width', 'class'")));
  EXPECT_THAT(refusal<InvalidArgument>("a,b\n1,2\n", {.id_col = "temperature"}),
              AllOf(HasSubstr("id_col 'temperature'"), Not(HasSubstr("did you mean"))));
  EXPECT_THAT(refusal<InvalidArgument>("1,2\n3,4\n", {.label_col = "class"}),
              AllOf(HasSubstr("no names"), HasSubstr("number from 1 to 2")));
}

TEST_F(CsvRefuse, ListsOnlyTheFirstOfManyNames) {
  std::string header = "c0", row = "0";
  for (int i = 1; i < 1000; ++i) header += ",c" + std::to_string(i), row += ",0";
  EXPECT_THAT(refusal<InvalidArgument>(header + "\n" + row + "\n", {.label_col = "nothing like it"}),
              AllOf(HasSubstr("'c0', 'c1'"), HasSubstr("and 990 more")));
}

TEST_F(CsvRefuse, ColumnNumbersOutOfRange) {
  for (const std::string number : {"0", "4", "99999999999999999999999"})
    EXPECT_THAT(refusal<InvalidArgument>("a,b,c\n1,2,3\n", {.label_col = number}),
                AllOf(HasSubstr("label_col '" + number + "'"), HasSubstr("columns 1 to 3")));
}

TEST_F(CsvRefuse, LabelAndIdInOneColumn) {
  EXPECT_THAT(refusal<InvalidArgument>("a,b\n1,x\n", {.label_col = "b", .id_col = "2"}), HasSubstr("same column"));
}

TEST_F(CsvRefuse, ANameThatTwoColumnsHave) {
  EXPECT_THAT(refusal<InvalidArgument>("a,b,b\n1,2,3\n", {.label_col = "b"}), HasSubstr("more than one column"));
}

TEST_F(CsvRefuse, NoNumbersBesideLabelsAndIds) {
  EXPECT_THAT(refusal("a,b\nx,y\n", {.label_col = "a", .id_col = "b"}), HasSubstr("no column of numbers"));
}

// Lines times columns would be 640 GB here. Memory must depend on the size of the file, which is less than 1 MB.
TEST_F(CsvRefuse, ManyLinesUnderAWideHeaderTakeNoMemory) {
  std::string text = "x";
  for (int i = 1; i < 200000; ++i) text += ",x";
  text += std::string(400000, '\n') + "1";
  EXPECT_THAT(refusal(text), HasSubstr("row 1 (line 2) is blank"));
  EXPECT_THAT(refusal(text, {.threads = 4}), HasSubstr("row 1 (line 2) is blank"));
}

}  // namespace
}  // namespace dualkpca::csv_refuse_test
