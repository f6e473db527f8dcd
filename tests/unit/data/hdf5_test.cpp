#include <thread>

#include "dualkpca/core/errors.hpp"
#include "unit/data/streams_util.hpp"

namespace dualkpca::hdf5_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Hdf5 : public testing::Test {
 protected:
  static std::string refusal(const std::string& path) { return test::refusal_of(open_hdf5, path); }
  test::TempDir dir_;
  const TableLayout h5_{.format = FileFormat::h5};
};

TEST_F(Hdf5, GivesTheRowsInBlocks) {
  const Matrix X = test::random_matrix(100, 3);
  const std::string path = test::write_table(dir_.path("a.h5"), X, h5_);
  test::expect_rows(open_hdf5, path, X);
  EXPECT_EQ(test::read_stream(*open_hdf5(path + ":/X", {}), 10), X);
  EXPECT_THAT(refusal(path + ":/Y"), AllOf(HasSubstr("no dataset '/Y'"), HasSubstr("'/X' (100, 3)")));
}

TEST_F(Hdf5, SparseStaysSparse) {
  const Samples X(test::random_sparse(100, 9));
  const std::string path = test::write_table(dir_.path("a.h5ad"), X.view(), h5_);
  test::expect_rows(open_hdf5, path, X.view());
}

TEST_F(Hdf5, BlocksLargerThanASlab) {
  const Matrix X = test::random_matrix(3, 3'000'000);  // 24 MB per row
  const std::string path = test::write_table(dir_.path("a.h5"), X, h5_, 1);
  EXPECT_EQ(test::read_stream(*open_hdf5(path, {}), 3), X);
}

// libhdf5 is not safe for threads, so our code must lock.
TEST_F(Hdf5, ThreadsMayReadAndWriteAtTheSameTime) {
  const Matrix X = test::random_matrix(2000, 5);
  const std::string shared = test::write_table(dir_.path("shared.h5"), X, h5_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const std::string path = dir_.path("t" + std::to_string(t) + ".h5");
      test::write_table(path, X, h5_, 100);
      EXPECT_EQ(test::read_stream(*open_hdf5(path, {}), 100), X);
      EXPECT_EQ(test::read_stream(*open_hdf5(shared, {}), 100), X);
      EXPECT_THROW(static_cast<void>(open_hdf5(path + ":/none", {})), DataError);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Hdf5, RefusesWhatIsNoHdf5) {
  EXPECT_THAT(refusal(dir_.write("a.h5", "1,2\n")), HasSubstr("not an HDF5 file"));
  EXPECT_THAT(refusal(dir_.write("a.h5", "")), HasSubstr("not an HDF5 file"));
  EXPECT_THAT(refusal(dir_.path("none.h5")), HasSubstr("No such file"));
  EXPECT_THAT(refusal("-"), HasSubstr("pipe"));
}

TEST_F(Hdf5, EveryPartThatIsCutOffIsMissed) {
  test::write_table(dir_.path("a.h5"), test::random_matrix(20, 3), h5_);
  const std::string bytes = dir_.read("a.h5");
  for (std::size_t size = 0; size < bytes.size(); size += 29) refusal(dir_.write("cut.h5", bytes.substr(0, size)));
}

TEST_F(Hdf5, RefusesAnExponentBesideTheBytesOfItsNumber) {
  test::write_table(dir_.path("a.h5"), test::random_matrix(20, 3), h5_);
  std::string bytes = dir_.read("a.h5");
  const std::size_t at = bytes.find(
      std::string("\x40\0\x34\x0b\0\x34", 6));  // a type of 64 bits, whose exponent has 11 bits from bit 52 on
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = 57;
  EXPECT_THAT(refusal(dir_.write("b.h5", bytes)), HasSubstr("bits outside of its bytes"));
}

TEST_F(Hdf5, TheObserverMayStop) {
  const std::string path = test::write_table(dir_.path("a.h5"), test::random_matrix(100, 3), h5_);
  const auto stream = open_hdf5(path, {.observe = [](const Progress&) { return false; }});
  EXPECT_EQ(test::message_of<Interrupted>([&] { static_cast<void>(stream->next(25)); }),
            "stopped while " + path + ":/X was being read");
}

}  // namespace
}  // namespace dualkpca::hdf5_test
