#include "data/io/line_blocks.hpp"

#include "dualkpca/core/errors.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/compress.hpp"

namespace dualkpca::line_blocks_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class LineBlocksTest : public testing::Test {
 protected:
  std::string all_of(std::string_view text) const {
    LineBlocks blocks(dir_.write("data", text), {});
    std::string all;
    for (std::string_view block = blocks.next(); !block.empty(); block = blocks.next()) all += block;
    return all;
  }
  std::string refusal(std::string_view bytes) const {
    const std::string path = dir_.write("data", bytes);
    const std::string message = test::message_of<DataError>([&] {
      LineBlocks blocks(path, {});
      while (!blocks.next().empty()) {
      }
    });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  test::TempDir dir_;
};

std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

TEST_F(LineBlocksTest, BlocksAreWholeLinesAndKnowTheirPlace) {
  const std::string text = many_lines(1500000);
  LineBlocks blocks(dir_.write("data", text), {});
  std::string all;
  Index line = 1;
  int count = 0;
  for (std::string_view block = blocks.next(); !block.empty(); block = blocks.next(), ++count) {
    ASSERT_EQ(blocks.line(), line);
    ASSERT_TRUE(block.starts_with("line " + std::to_string(line - 1) + "\n"));
    ASSERT_TRUE(block.ends_with('\n') || blocks.at_end());
    line += std::count(block.begin(), block.end(), '\n');
    all += block;
  }
  EXPECT_GT(count, 3);
  EXPECT_EQ(all + "\n", text);  // the end of the last line is cut with the blanks at the end
  EXPECT_TRUE(blocks.next().empty());
}

TEST_F(LineBlocksTest, WhatIsTakenBackComesAgain) {
  const std::string text = many_lines(1000000);
  LineBlocks blocks(dir_.write("data", text), {});
  std::string all;
  bool at_end = false;
  while (!at_end) {
    const std::string_view block = blocks.next();
    at_end = blocks.at_end();
    const std::size_t half = block.find('\n', block.size() / 2 - 1) + 1;
    const std::size_t used = at_end ? block.size() : half;
    ASSERT_TRUE(block.starts_with("line " + std::to_string(blocks.line() - 1) + "\n"));
    all += block.substr(0, used);
    blocks.unread(block.size() - used);
  }
  EXPECT_EQ(all + "\n", text);
}

TEST_F(LineBlocksTest, LeavesOutTheMarkAndBlankLinesAtTheEnd) {
  EXPECT_EQ(all_of("\xef\xbb\xbf"
                   "a\nb\n\n \r\n\n"),
            "a\nb");
  EXPECT_EQ(all_of(""), "");
  EXPECT_EQ(all_of("\xef\xbb\xbf\n\n"), "");
  const std::string gap(5 * mebibyte, '\n');
  EXPECT_EQ(all_of("a\n" + gap), "a\n");
  EXPECT_EQ(all_of("a\n" + gap + "b"), "a\n" + gap + "b");
}

TEST_F(LineBlocksTest, RefusesUtf16) {
  EXPECT_THAT(refusal("\xff\xfe"
                      "a"),
              HasSubstr("UTF-16"));
}

TEST_F(LineBlocksTest, ALineMayBeLong) {
  const std::string text = "a\n" + std::string(20 * mebibyte, 'x') + "\nb";
  EXPECT_EQ(all_of(text), text);
}

TEST_F(LineBlocksTest, RefusesEndlessLines) {
  EXPECT_THAT(refusal(test::gzip("a\nb\n" + std::string(80 * mebibyte, 'x'))),
              HasSubstr("line 3 is longer than 64 MiB: is this a text file?"));
  EXPECT_THAT(refusal(test::gzip("a\nb\n" + std::string(80 * mebibyte, '\n'))),
              HasSubstr("from line 3 on, 64 MiB are blank"));
}

TEST_F(LineBlocksTest, TellsTheObserver) {
  const std::string text = many_lines(1000000);
  std::vector<double> fractions;
  const auto observe = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, Progress::Stage::read);
    fractions.push_back(progress.fraction);
    return fractions.size() < 2;
  };
  const std::string path = dir_.write("data", text);
  EXPECT_THAT(test::message_of<Interrupted>([&] {
                LineBlocks blocks(path, observe);
                while (!blocks.next().empty()) {
                }
              }),
              HasSubstr("stopped while " + path + " was being read"));
  ASSERT_EQ(fractions.size(), 2u);
  EXPECT_GT(fractions[0], 0.2);
  EXPECT_GT(fractions[1], fractions[0]);
  EXPECT_LT(fractions[1], 1);

  LineBlocks small(dir_.write("small", "a\nb\n"), observe);
  EXPECT_EQ(small.next(), "a\nb");
  EXPECT_EQ(fractions.size(), 2u);
}

TEST_F(LineBlocksTest, LinesComeOneByOne) {
  Lines lines(dir_.write("data", "a\r\n\nb\nc"), {});
  std::vector<std::string> found;
  for (std::string_view line; lines.next(line);) found.push_back(std::to_string(lines.number()) + std::string(line));
  EXPECT_THAT(found, ElementsAre("1a", "2", "3b", "4c"));
}

}  // namespace
}  // namespace dualkpca::line_blocks_test
