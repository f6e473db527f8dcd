#include "data/text_number.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace dualkpca::text_number_test {
namespace {

// Returns the value and the number of characters read, or -1 if the text is refused.
std::pair<double, long> parsed(std::string_view text) {
  double value = 0;
  const char* stop = parse_number(text.data(), text.data() + text.size(), value);
  return stop == nullptr ? std::pair{0.0, -1L} : std::pair{value, stop - text.data()};
}

TEST(CsvNumber, StopsWhereTheNumberStops) {
  EXPECT_EQ(parsed("1.5,2"), (std::pair{1.5, 3L}));
  EXPECT_EQ(parsed("+1e2 "), (std::pair{100.0, 4L}));
  EXPECT_EQ(parsed("7e"), (std::pair{7.0, 1L}));
}

TEST(CsvNumber, RefusesWhatIsNotFinite) {
  for (const std::string_view text : {"", "+", "-", "x", "+-1", "++1", "nan", "inf", "-inf", "+inf", "1e309", "-1e309"})
    EXPECT_EQ(parsed(text).second, -1) << text;
}

TEST(CsvNumber, TellsTooSmallFromTooLarge) {
  for (const std::string_view small : {"1e-400", "-1E-400", "0.1e-323", "0.001e-9223372036854775808", "123456e-999"})
    EXPECT_EQ(parsed(small), (std::pair{0.0, static_cast<long>(small.size())})) << small;
  const std::string many_zeros = "0." + std::string(500, '0') + "1";
  EXPECT_EQ(parsed(many_zeros + "e100").first, 0);
  EXPECT_EQ(parsed(many_zeros + "e100").second, static_cast<long>(many_zeros.size()) + 4);
  EXPECT_EQ(parsed(many_zeros + "e999").second, -1);  // 1e498
  EXPECT_EQ(parsed(many_zeros + "e501").first, 1);
  EXPECT_EQ(parsed(std::string(400, '1') + "e-10").second, -1);
  EXPECT_EQ(parsed("100e9223372036854775807").second, -1);
}

TEST(CsvNumber, NamesTheContentOfAField) {
  EXPECT_EQ(content_of(" 1 "), FieldContent::number);
  EXPECT_EQ(content_of("1e-999"), FieldContent::number);
  EXPECT_EQ(content_of(" "), FieldContent::missing);
  EXPECT_EQ(content_of("-NaN"), FieldContent::missing);
  EXPECT_EQ(content_of("NULL"), FieldContent::missing);
  EXPECT_EQ(content_of("+Infinity"), FieldContent::infinite);
  EXPECT_EQ(content_of("1e999"), FieldContent::too_large);
  EXPECT_EQ(content_of("Na"), FieldContent::text);  // the name of a column of sodium, not a missing value
  EXPECT_EQ(content_of("1 2"), FieldContent::text);
  EXPECT_EQ(content_of("+-1"), FieldContent::text);
}

}  // namespace
}  // namespace dualkpca::text_number_test
