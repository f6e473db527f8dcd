#include <sys/stat.h>

#include <thread>

#include "dualkpca/core/errors.hpp"
#include "unit/data/streams_util.hpp"

namespace dualkpca::npy_stream_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class NpyStreamTest : public testing::Test {
 protected:
  std::string refusal(const std::string& bytes) const {
    const std::string path = dir_.write("a.npy", bytes);
    const std::string message = test::message_of<DataError>([&] { static_cast<void>(open_npy(path, {})); });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  // Returns a header of version 1.0, as numpy writes it, followed by the data.
  static std::string npy(const std::string& descr, const std::string& order, const std::string& shape,
                         const std::string& data) {
    std::string dict = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
    dict.resize(118, ' ');  // aligns the data, so that a mapping can be used directly
    return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(dict.size()) + '\0' + dict + data;
  }
  test::TempDir dir_;
};

TEST_F(NpyStreamTest, GivesTheRowsInBlocks) {
  const Matrix X = test::random_matrix(100, 3);
  const std::string path = test::write_table(dir_.path("a.npy"), X, {});
  for (const Index most : {1, 7, 100, 1000}) {
    const auto stream = open_npy(path, {});
    EXPECT_EQ(stream->rows(), 100);
    EXPECT_EQ(stream->cols(), 3);
    EXPECT_TRUE(stream->feature_names().empty());
    EXPECT_EQ(test::read_stream(*stream, most), X);
  }
}

TEST_F(NpyStreamTest, ReadsTheSameAsAMapping) {
  const std::string data = "abcdefghijklmnopqrstuvwx";  // 6 items of 4 bytes
  for (const std::string descr : {"<f4", ">f4", "<i4", ">u4"})
    for (const std::string order : {"False", "True"}) {
      const std::string path = dir_.write("a.npy", npy(descr, order, "(3, 2)", data));
      const Dataset mapped = read_npy(path);
      const auto stream = open_npy(path, {});
      EXPECT_EQ(test::read_stream(*stream, 2, mapped.samples.view().precision()),
                test::dense_copy(mapped.samples.view()));
    }
}

TEST_F(NpyStreamTest, ReadsAPipe) {
  const Matrix X = test::random_matrix(50, 4);
  test::write_table(dir_.path("a.npy"), X, {.precision = Precision::float32});
  const std::string pipe = dir_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << dir_.read("a.npy"); });
  const auto stream = open_npy(pipe, {});
  EXPECT_EQ(test::read_stream(*stream, 9, Precision::float32), X.cast<float>().cast<double>());
  writer.join();
}

TEST_F(NpyStreamTest, APipeThatEndsEarly) {
  const std::string pipe = dir_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << npy("<f8", "False", "(5, 1)", "12345678abcd"); });
  const auto stream = open_npy(pipe, {});
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(stream->next(10)); }),
              AllOf(HasSubstr("cut short"), HasSubstr("(5, 1)"), HasSubstr("row 2")));
  writer.join();
}

TEST_F(NpyStreamTest, RefusesWhatAMappingRefuses) {
  for (const std::string shape : {"(4294967296, 4294967296)", "(1, 9223372036854775807)", "(3, 1000000000)"})
    EXPECT_THAT(refusal(npy("<f8", "False", shape, "12345678")),
                testing::AnyOf(HasSubstr("cut short"), HasSubstr("no file can have rows")));
  EXPECT_THAT(refusal(npy("<f8", "False", "(1,)", "12345678")), HasSubstr("2-D"));
  EXPECT_THAT(refusal(npy("<f8", "False", "(0, 3)", "")), HasSubstr("at least one row"));
  EXPECT_THAT(refusal(npy("<c16", "False", "(1, 1)", "1234567812345678")), HasSubstr("complex"));
  EXPECT_THAT(refusal("1,2\n"), HasSubstr("not an NPY file"));
  EXPECT_THAT(refusal(""), HasSubstr("not an NPY file"));
  EXPECT_THAT(refusal("\x93NUMPY"), HasSubstr("cut short"));
  EXPECT_THAT(refusal(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14)), HasSubstr("header"));
}

TEST_F(NpyStreamTest, AFileThatShrinksIsCutShort) {
  const std::string path = test::write_table(dir_.path("a.npy"), test::random_matrix(100, 3), {});
  const auto stream = open_npy(path, {});
  static_cast<void>(stream->next(10));
  std::filesystem::resize_file(path, 1000);
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(stream->next(90)); }), HasSubstr("cut short"));
}

TEST_F(NpyStreamTest, TheObserverIsToldAndMayStop) {
  const std::string path = test::write_table(dir_.path("a.npy"), test::random_matrix(100, 3), {});
  std::vector<double> fractions;
  const auto stream = open_npy(path, {.observe = [&](const Progress& progress) {
                                 EXPECT_EQ(progress.stage, Progress::Stage::read);
                                 fractions.push_back(progress.fraction);
                                 return fractions.size() < 2;
                               }});
  static_cast<void>(stream->next(25));
  EXPECT_EQ(test::message_of<Interrupted>([&] { static_cast<void>(stream->next(25)); }),
            "stopped while " + path + " was being read");
  EXPECT_EQ(fractions, (std::vector<double>{0.25, 0.5}));
}

}  // namespace
}  // namespace dualkpca::npy_stream_test
