#include "dualkpca/core/errors.hpp"
#include "unit/data/streams_util.hpp"

namespace dualkpca::npz_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Npz : public testing::Test {
 protected:
  std::string refusal(const std::string& path) const {
    const std::string message = test::refusal_of(open_npz, path);
    EXPECT_THAT(message, HasSubstr(dir_.path("")));
    return message;
  }
  test::TempDir dir_;
  const TableLayout npz_{.format = FileFormat::npz};
};

TEST_F(Npz, GivesTheRowsInBlocks) {
  const Matrix X = test::random_matrix(100, 3);
  const std::string path = test::write_table(dir_.path("a.npz"), X, npz_);
  test::expect_rows(open_npz, path, X);
  EXPECT_EQ(test::read_stream(*open_npz(path + ":X", {}), 10), X);
  EXPECT_EQ(test::read_stream(*open_npz(path + ":X.npy", {}), 10), X);
  EXPECT_THAT(refusal(path + ":Y"), AllOf(HasSubstr("no array 'Y'"), HasSubstr("'X' (100, 3)")));
}

TEST_F(Npz, SparseStaysSparse) {
  const Samples X(test::random_sparse(100, 9));
  const std::string path = test::write_table(dir_.path("a.npz"), X.view(), npz_);
  test::expect_rows(open_npz, path, X.view());
}

TEST_F(Npz, EveryPartThatIsCutOffIsMissed) {
  test::write_table(dir_.path("a.npz"), test::random_matrix(20, 3), npz_);
  const std::string bytes = dir_.read("a.npz");
  for (std::size_t size = 0; size < bytes.size(); size += 13) refusal(dir_.write("cut.npz", bytes.substr(0, size)));
}

// A flipped bit is detected unless it does not matter, such as one in the date.
TEST_F(Npz, NoFlippedBitChangesTheNumbers) {
  for (const bool sparse : {false, true}) {
    const Samples X = sparse ? Samples(test::random_sparse(20, 5)) : Samples(test::random_matrix(20, 3));
    test::write_table(dir_.path("a.npz"), X.view(), npz_);
    const std::string bytes = dir_.read("a.npz");
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
      const std::string path = dir_.write("flipped.npz", flipped);
      try {
        EXPECT_EQ(test::read_stream(*open_npz(path, {}), 7), test::dense_copy(X.view())) << at;
      } catch (const DataError&) {
        continue;
      }
    }
  }
}

TEST_F(Npz, TheObserverMayStop) {
  const std::string path = test::write_table(dir_.path("a.npz"), test::random_matrix(100, 3), npz_);
  const auto stream = open_npz(path, {.observe = [](const Progress&) { return false; }});
  EXPECT_THAT(test::message_of<Interrupted>([&] { static_cast<void>(stream->next(25)); }),
              AllOf(HasSubstr("stopped while " + path), HasSubstr("was being read")));
}

}  // namespace
}  // namespace dualkpca::npz_test
