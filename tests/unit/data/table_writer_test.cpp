#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "dualkpca/data/write.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::table_writer_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TableWriterTest : public testing::Test {
 protected:
  // Writes one block and returns the bytes.
  std::string written(const std::string& name, const std::vector<std::string>& columns, const Matrix& block,
                      const std::vector<std::string>& ids = {}, Precision precision = Precision::float64) const {
    const auto writer = make_table_writer(dir_.path(name), columns, block.rows(), !ids.empty(), precision);
    writer->write(block, ids);
    writer->commit();
    return dir_.read(name);
  }
  test::TempDir dir_;
};

TEST_F(TableWriterTest, WritesTheShortestDigitsThatReadBack) {
  const Matrix block{{0.1, 1e100, -0.0}, {1.0 / 3, 5e-324, 1e6}};
  EXPECT_EQ(written("a.csv", {"x", "y", "z"}, block), "x,y,z\n0.1,1e+100,-0\n0.3333333333333333,5e-324,1e+06\n");
  EXPECT_EQ(written("a.tsv", {"x", "y", "z"}, block), "x\ty\tz\n0.1\t1e+100\t-0\n0.3333333333333333\t5e-324\t1e+06\n");
}

TEST_F(TableWriterTest, Float32NeedsFewerDigits) {
  EXPECT_EQ(written("a.csv", {"x"}, Matrix{{1.0 / 3}, {0.1}}, {}, Precision::float32), "x\n0.33333334\n0.1\n");
}

TEST_F(TableWriterTest, QuotesTextThatNeedsIt) {
  const Matrix block{{1}, {2}, {3}, {4}, {5}, {6}, {7}};
  EXPECT_EQ(
      written("a.csv", {"a,b"}, block, {"plain", "a,b", "say \"x\"", "two\nlines", " edge", "a\tb", "a\rb"}),
      "id,\"a,b\"\nplain,1\n\"a,b\",2\n\"say \"\"x\"\"\",3\n\"two\nlines\",4\n\" edge\",5\n\"a\tb\",6\n\"a\rb\",7\n");
  EXPECT_EQ(written("a.tsv", {"a,b"}, block.topRows(2), {"a,b", "a\tb"}), "id\ta,b\na,b\t1\n\"a\tb\"\t2\n");
}

TEST_F(TableWriterTest, BlocksFollowEachOther) {
  for (const std::string name : {"a.csv", "a.npy"}) {
    const auto writer = make_table_writer(dir_.path(name), {"x", "y"}, 3, false);
    writer->write(Matrix{{1, 2}, {3, 4}}, {});
    writer->write(Matrix(0, 2), {});
    writer->write(Matrix{{5, 6}}, {});
    EXPECT_FALSE(std::filesystem::exists(dir_.path(name)));
    writer->commit();
    const Dataset data = read_dataset(dir_.path(name));
    ASSERT_EQ(data.samples.view().rows(), 3);
    EXPECT_EQ(data.samples.view()(2, 1), 6);
  }
}

TEST_F(TableWriterTest, WritesViewsOfALargerMatrix) {
  const Matrix large{{1, 2, 3}, {4, 5, 6}};
  for (const std::string name : {"a.csv", "a.npy"}) {
    const auto writer = make_table_writer(dir_.path(name), {"x", "y"}, 2, false);
    writer->write(large.rightCols(2), {});
    writer->commit();
    const Dataset data = read_dataset(dir_.path(name));
    EXPECT_EQ(data.samples.view()(0, 0), 2);
    EXPECT_EQ(data.samples.view()(1, 1), 6);
  }
}

// The expected bytes are those of np.save of numpy 1.24.
TEST_F(TableWriterTest, WritesNpyAsNumpyDoes) {
  const std::string bytes = written("a.npy", {"x", "y", "z"}, Matrix{{1.5, -2, 3}, {4, 5e-324, 0.1}});
  const std::string header = std::string("\x93NUMPY\x01\0v\0", 10) +
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }" + std::string(58, ' ') +
                             "\n";
  ASSERT_EQ(header.size(), 128u);
  EXPECT_EQ(bytes.substr(0, 128), header);
  EXPECT_EQ(bytes.substr(128), std::string("\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\x08\x40"
                                           "\0\0\0\0\0\0\x10\x40\x01\0\0\0\0\0\0\0\x9a\x99\x99\x99\x99\x99\xb9\x3f",
                                           48));
}

TEST_F(TableWriterTest, NpyDataIsAlignedWhateverTheShape) {
  for (Index cols = 1; cols < 3000; cols = cols * 3 + 1) {
    const std::string bytes = written("a.npy", std::vector<std::string>(static_cast<std::size_t>(cols), "x"),
                                      Matrix::Zero(7, cols), {}, Precision::float32);
    EXPECT_EQ((bytes.size() - static_cast<std::size_t>(7 * cols) * sizeof(float)) % 64, 0u) << cols;
  }
}

TEST_F(TableWriterTest, NpyLeavesIdsOut) {
  const Dataset data = (written("a.npy", {"x"}, Matrix{{1}, {2}}, {"a", "b"}), read_dataset(dir_.path("a.npy")));
  EXPECT_EQ(data.samples.view()(1, 0), 2);
  EXPECT_EQ(data.samples.view().precision(), Precision::float64);
}

TEST_F(TableWriterTest, NpyMustGetTheRowsItWasPromised) {
  for (const Index promised : {0, 1, 3}) {
    const auto writer = make_table_writer(dir_.path("a.npy"), {"x"}, promised, false);
    writer->write(Matrix{{1}, {2}}, {});
    EXPECT_THAT(test::message_of<InvalidArgument>([&] { writer->commit(); }),
                AllOf(HasSubstr(std::to_string(promised) + " rows"), HasSubstr("2 were written")));
  }
  EXPECT_EQ(dir_.count_files(), 0);
}

TEST_F(TableWriterTest, RefusesBlocksOfAnotherShape) {
  for (const std::string name : {"a.csv", "a.npy"}) {
    const auto writer = make_table_writer(dir_.path(name), {"x", "y"}, 1, false);
    EXPECT_THAT(test::message_of<InvalidArgument>([&] {
                  writer->write(Matrix{{1, 2, 3}}, {});
                }),
                HasSubstr("3 columns"));
  }
  const auto writer = make_table_writer(dir_.path("a.csv"), {"x"}, 1, true);
  EXPECT_THROW(writer->write(Matrix{{1}}, {}), InvalidArgument);
  EXPECT_THROW(writer->write(Matrix{{1}}, {"a", "b"}), InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_table_writer(dir_.path("a.csv"), {}, 1, false)), InvalidArgument);
}

TEST_F(TableWriterTest, RefusesOtherExtensions) {
  for (const std::string name : {"a.txt", "a", "a.gz", "a.csv.zip"})
    EXPECT_THAT(test::message_of<InvalidArgument>(
                    [&] { static_cast<void>(make_table_writer(dir_.path(name), {"x"}, 1, false)); }),
                AllOf(HasSubstr(dir_.path(name)), HasSubstr(".csv, .tsv, .npy")));
}

TEST_F(TableWriterTest, DevicesAreWrittenAsCsv) {
  const auto writer = make_table_writer("/dev/full", {"x"}, -1, false);
  writer->write(Matrix{{1}}, {});
  EXPECT_THROW(writer->commit(), ResourceError);
}

}  // namespace
}  // namespace dualkpca::table_writer_test
