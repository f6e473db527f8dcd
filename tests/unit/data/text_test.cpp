#include "data/io/text.hpp"

#include <gtest/gtest.h>

namespace dualkpca::text_test {
namespace {

TEST(MessageText, PrintableReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\n\t\x1b\x7f z"), "a???? z");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "??31m");  // U+009B is the one-character form of ESC [
}

TEST(MessageText, PrintableKeepsUtf8AndNothingElse) {
  EXPECT_EQ(printable("Gr\xc3\xb6\xc3\x9f"
                      "e \xe2\x82\xac \xf0\x9f\x98\x80"),
            "Gr\xc3\xb6\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\xff\xfe\x80"), "???");
  EXPECT_EQ(printable("\xc3"), "?");                 // a truncated character
  EXPECT_EQ(printable("\xe0\x80\xaf"), "???");       // an overlong form
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");       // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");  // beyond U+10FFFF
}

TEST(MessageText, PrintableCutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("ab\xe2\x82\xac", 4), "ab...");
}

TEST(MessageText, SuggestsTheNearestName) {
  const std::vector<std::string> names = {"height", "Width", "class"};
  EXPECT_EQ(nearest_name("clas", names), "class");
  EXPECT_EQ(nearest_name("CLASS", names), "class");
  EXPECT_EQ(nearest_name("width", names), "Width");
  EXPECT_EQ(nearest_name("heigth", names), "height");
  EXPECT_EQ(nearest_name("label", names), "");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(MessageText, ListsTheFirstTenNames) {
  EXPECT_EQ(list_names({"a", "b"}), "'a', 'b'");
  EXPECT_EQ(list_names(std::vector<std::string>(12, "n")),
            "'n', 'n', 'n', 'n', 'n', 'n', 'n', 'n', 'n', 'n' and 2 more");
}

}  // namespace
}  // namespace dualkpca::text_test
