// Files and pipes, compressed or not, give the same bytes, and damage is reported.

#include "data/io/byte_source.hpp"

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "dualkpca/core/errors.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/compress.hpp"

namespace dualkpca::byte_source_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string numbers(int count) {
  std::string text;
  for (long i = 0; i < count; ++i) text += std::to_string(i * 7919 % 10007) + ",";
  return text;
}

std::string read_all(ByteSource& source, std::size_t step = 1000) {
  std::string all, piece(step, '\0');
  for (;;) {
    const std::size_t got = source.read(piece.data(), step);
    all.append(piece, 0, got);
    if (got < step) return all;
  }
}

class ByteSourceTest : public testing::Test {
 protected:
  std::string content(std::string_view bytes, std::size_t step = 1000) const {
    ByteSource source(dir_.write("data", bytes));
    return read_all(source, step);
  }
  std::string refusal(std::string_view bytes) const {
    const std::string path = dir_.write("data", bytes);
    const std::string message = test::message_of<DataError>([&] {
      ByteSource source(path);
      static_cast<void>(read_all(source));
    });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  test::TempDir dir_;
};

TEST_F(ByteSourceTest, GivesTheBytesOfAFile) {
  const std::string text = numbers(200000);
  for (const std::size_t step : {1, 3, 4096, 262144, 5000000}) {
    if (step < 4096)
      EXPECT_EQ(content("1,2\n3,4\n", step), "1,2\n3,4\n");
    else
      EXPECT_EQ(content(text, step), text);
  }
  EXPECT_EQ(content(""), "");
  EXPECT_EQ(content(std::string_view("\0a\0", 3)), std::string("\0a\0", 3));
}

TEST_F(ByteSourceTest, DecompressesByTheFirstBytes) {
  const std::string text = numbers(200000);
  EXPECT_EQ(content(test::gzip(text)), text);
  EXPECT_EQ(content(test::bzip2(text)), text);
  EXPECT_EQ(content(test::gzip("")), "");
  EXPECT_EQ(content(test::bzip2("")), "");
  EXPECT_TRUE(ByteSource(dir_.write("data.csv", test::gzip(text))).is_compressed());
  EXPECT_FALSE(ByteSource(dir_.write("data.csv.gz", text)).is_compressed());
}

TEST_F(ByteSourceTest, TextThatBeginsLikeBzip2IsText) {
  for (const std::string text : {"BZ", "BZh", "BZh91,2\n", "BZhang,1\n"}) EXPECT_EQ(content(text), text);
}

TEST_F(ByteSourceTest, PiecesCompressedOnTheirOwnAreOneText) {
  const std::string a = numbers(50000), b = numbers(3);
  EXPECT_EQ(content(test::gzip(a) + test::gzip("") + test::gzip(b)), a + b);
  EXPECT_EQ(content(test::bzip2(a) + test::bzip2("") + test::bzip2(b)), a + b);
}

TEST_F(ByteSourceTest, ZerosBehindCompressedDataAreIgnored) {
  const std::string text = numbers(1000), zeros(300000, '\0');
  EXPECT_EQ(content(test::gzip(text) + zeros), text);
  EXPECT_EQ(content(test::bzip2(text) + std::string(3, '\0')), text);
  EXPECT_THAT(refusal(test::gzip(text) + "more"), HasSubstr("the gzip data are followed by other bytes"));
  EXPECT_THAT(refusal(test::gzip(text) + zeros + "x"), HasSubstr("the gzip data are followed by other bytes"));
  EXPECT_THAT(refusal(test::bzip2(text) + "more"), HasSubstr("the bzip2 data are followed by other bytes"));
}

TEST_F(ByteSourceTest, DataCutShortAreRefused) {
  const std::string text = numbers(50000), gz = test::gzip(text), bz2 = test::bzip2(text);
  for (const std::size_t size :
       {std::size_t{2}, std::size_t{9}, std::size_t{18}, gz.size() / 2, gz.size() - 8, gz.size() - 1})
    EXPECT_THAT(refusal(gz.substr(0, size)), HasSubstr("the gzip data are cut short")) << size;
  for (const std::size_t size : {std::size_t{4}, std::size_t{10}, bz2.size() / 2, bz2.size() - 1})
    EXPECT_THAT(refusal(bz2.substr(0, size)), HasSubstr("the bzip2 data are cut short")) << size;
  EXPECT_THAT(refusal(gz + gz.substr(0, 100)), HasSubstr("cut short"));
}

TEST_F(ByteSourceTest, DamagedDataAreRefused) {
  std::string gz = test::gzip(numbers(50000)), bz2 = test::bzip2(numbers(50000));
  gz[gz.size() - 6] ^= 1;  // a bit of the checksum
  EXPECT_THAT(refusal(gz), HasSubstr("the gzip data are damaged"));
  bz2[bz2.size() / 2] ^= 1;
  EXPECT_THAT(refusal(bz2), HasSubstr("the bzip2 data are damaged"));
  EXPECT_THAT(refusal("\x1f\x8b garbage, and more of it"), HasSubstr("the gzip data are damaged"));
}

TEST_F(ByteSourceTest, TellsHowMuchIsRead) {
  for (const std::string& bytes : {numbers(200000), test::gzip(numbers(2000000))}) {
    ByteSource source(dir_.write("data", bytes));
    EXPECT_EQ(source.fraction(), 0);
    std::string piece(600000, '\0');
    static_cast<void>(source.read(piece.data(), piece.size()));
    EXPECT_GT(source.fraction(), 0);
    EXPECT_LT(source.fraction(), 1);
    static_cast<void>(read_all(source));
    EXPECT_EQ(source.fraction(), 1);
  }
}

TEST_F(ByteSourceTest, ReadsAPipe) {
  const std::string fifo = dir_.path("pipe"), text = numbers(100000);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& bytes : {text, test::gzip(text), test::bzip2(text)}) {
    std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << bytes; });
    ByteSource source(fifo);
    EXPECT_EQ(read_all(source), text);
    EXPECT_LT(source.fraction(), 0);
    writer.join();
  }
}

TEST_F(ByteSourceTest, ASilentPipeCanBeStoppedWithoutASignal) {
  const std::string fifo = dir_.path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::fstream other_end(fifo, std::ios::in | std::ios::out);  // never writes, never closes
  int asked = 0;
  EXPECT_THAT(test::message_of<Interrupted>([&] {
                ByteSource source(fifo, [&](const Progress&) { return ++asked < 3; });
                static_cast<void>(read_all(source));
              }),
              HasSubstr("stopped while " + fifo));
  EXPECT_EQ(asked, 3);
}

TEST_F(ByteSourceTest, TellsTheSystemsReason) {
  EXPECT_THAT(test::message_of<DataError>([&] { ByteSource source(dir_.path("none")); }),
              AllOf(HasSubstr(dir_.path("none")), HasSubstr("No such file")));
  EXPECT_THAT(test::message_of<DataError>([&] { ByteSource source(dir_.path("")); }), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace dualkpca::byte_source_test
