// Tests of Matrix Market files: coordinate files are sparse, array files dense.

#include <sys/stat.h>

#include <limits>
#include <thread>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/compress.hpp"
#include "unit/data/sparse_text.hpp"

namespace dualkpca::mtx_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Mtx : public testing::Test {
 protected:
  Dataset read(const std::string& kind, const std::string& text) const {
    return read_dataset(dir_.write("data.mtx", "%%MatrixMarket matrix " + kind + "\n" + text));
  }
  template <class E = DataError>
  std::string refusal_of(const std::string& text, const ReadOptions& options = {}) const {
    const std::string path = dir_.write("data.mtx", text);
    const std::string message = test::message_of<E>([&] { static_cast<void>(read_dataset(path, options)); });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  template <class E = DataError>
  std::string refusal(const std::string& kind, const std::string& text) const {
    return refusal_of<E>("%%MatrixMarket matrix " + kind + "\n" + text);
  }
  test::TempDir dir_;
};

const std::string sparse = "coordinate real general";

TEST_F(Mtx, ReadsEntriesInAnyOrder) {
  const Dataset data = read(sparse, "% a comment\n%\n\n3 4 4\n3 1 7\n1 4 -2.5e0\n\n1 2 1\n% another\n3 4 0\n");
  EXPECT_TRUE(data.samples.view().is_sparse());
  EXPECT_EQ(data.samples.view().rows(), 3);
  EXPECT_EQ(data.samples.view().cols(), 4);
  EXPECT_EQ(test::entries_of(data.samples.view()), " 1:1 3:-2.5 / / 0:7");
  EXPECT_TRUE(data.labels.empty());
}

TEST_F(Mtx, UnderstandsEveryKind) {
  EXPECT_EQ(test::entries_of(read("coordinate integer general", "2 2 1\n2 1 -3\n").samples.view()), " / 0:-3");
  EXPECT_EQ(test::entries_of(read("coordinate pattern general", "2 2 2\n2 1\n1 1\n").samples.view()), " 0:1 / 0:1");
  EXPECT_EQ(test::entries_of(read("coordinate real symmetric", "2 2 2\n1 1 5\n2 1 3\n").samples.view()),
            " 0:5 1:3 / 0:3");
  EXPECT_EQ(test::entries_of(read("coordinate pattern symmetric", "2 2 1\n2 1\n").samples.view()), " 1:1 / 0:1");
  EXPECT_EQ(test::entries_of(read("coordinate real skew-symmetric", "2 2 1\n2 1 3\n").samples.view()), " 1:-3 / 0:3");
  EXPECT_EQ(test::entries_of(read("COORDINATE Real General", "1 1 1\n1 1 2\n").samples.view()), " 0:2");
  EXPECT_EQ(test::entries_of(read("array real general", "2 3\n1\n2\n3\n4\n5\n6\n").samples.view()),
            " 0:1 1:3 2:5 / 0:2 1:4 2:6");
  EXPECT_EQ(test::entries_of(read("array integer symmetric", "3 3\n1\n2\n3\n4\n5\n6\n").samples.view()),
            " 0:1 1:2 2:3 / 0:2 1:4 2:5 / 0:3 1:5 2:6");
  EXPECT_EQ(test::entries_of(read("array real skew-symmetric", "3 3\n2\n3\n5\n").samples.view()),
            " 0:0 1:-2 2:-3 / 0:2 1:0 2:-5 / 0:3 1:5 2:0");
}

TEST_F(Mtx, RefusesOtherKinds) {
  EXPECT_THAT(refusal("coordinate complex general", "1 1 1\n1 1 2 3\n"),
              AllOf(HasSubstr("line 1"), HasSubstr("complex numbers are not accepted")));
  EXPECT_THAT(refusal("coordinate real hermitian", "1 1 1\n1 1 2\n"), HasSubstr("'hermitian' is not accepted"));
  EXPECT_THAT(refusal("array pattern general", "1 1\n"), HasSubstr("'pattern' is not accepted"));
  EXPECT_THAT(refusal("elemental real general", "1 1\n"), HasSubstr("'elemental' is not accepted"));
  EXPECT_THAT(refusal("coordinate real", "1 1\n"), HasSubstr("'' is not accepted"));
  EXPECT_THAT(refusal_of("1 1 1\n1 1 2\n"), HasSubstr("not a Matrix Market file"));
  EXPECT_THAT(refusal_of(""), HasSubstr("not a Matrix Market file"));
  EXPECT_THAT(refusal_of(std::string("\0\1\2\3\xff", 5)), HasSubstr("not a Matrix Market file"));
}

TEST_F(Mtx, RefusesBadSizes) {
  for (const std::string size : {"", "% only\n"}) EXPECT_THAT(refusal(sparse, size), HasSubstr("size is missing"));
  for (const std::string size : {"3 3\n", "3 3 1 1\n", "a 3 1\n", "-3 3 1\n", "3.5 3 1\n"})
    EXPECT_THAT(refusal(sparse, size), AllOf(HasSubstr("line 2"), HasSubstr("is not the size"))) << size;
  EXPECT_THAT(refusal("array real general", "3\n"), HasSubstr("is not the size"));
  EXPECT_THAT(refusal(sparse, "0 3 0\n"), HasSubstr("at least one row and one column"));
  EXPECT_THAT(refusal("coordinate real symmetric", "2 3 0\n"), HasSubstr("a symmetric one is square"));
  EXPECT_THAT(refusal(sparse, "3 2147483648 1\n1 1 1\n"), HasSubstr("at most 2147483647"));
}

TEST_F(Mtx, HugeDeclaredSizesTakeNoMemory) {
  EXPECT_THAT(refusal(sparse, "1000000000000000 3 1\n1 1 1\n"), HasSubstr("1000000000000000 rows are declared"));
  EXPECT_THAT(refusal(sparse, "99999999999999999999999 3 1\n1 1 1\n"), HasSubstr("rows are declared"));
  EXPECT_THAT(refusal(sparse, "2000000 3 1\n1 1 1\n"), HasSubstr("2000000 rows are declared for 1 entries"));
  EXPECT_THAT(refusal<ResourceError>("array real general", "10000000 10000000\n1\n"),
              HasSubstr("10000000 x 10000000 numbers need 727.60 TiB of memory and"));
  EXPECT_THAT(refusal<ResourceError>("array real symmetric", "9223372036854775807 9223372036854775807\n1\n"),
              HasSubstr("numbers need"));
  EXPECT_THAT(refusal(sparse, "3 3 9000000000000000000\n1 1 1\n"),
              HasSubstr("cut short: 1 entries found, 9000000000000000000 declared on line 2"));
  EXPECT_THAT(refusal(sparse, "1000000 2000000000 5\n1 1 1\n"), HasSubstr("cut short"));
  EXPECT_THAT(refusal("array real general", "10000 10000\n1\n2\n"), HasSubstr("cut short: 2 numbers found, 100000000"));
}

TEST_F(Mtx, RefusesBadEntries) {
  EXPECT_THAT(refusal(sparse, "3 4 1\n4 1 1\n"), HasSubstr("line 3: row 4 is outside 1..3"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n1 5 1\n"), HasSubstr("line 3: column 5 is outside 1..4"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n0 1 1\n"), HasSubstr("row 0 is outside 1..3"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n1 -1 1\n"), HasSubstr("column -1 is outside 1..4"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n99999999999999999999 1 1\n"), HasSubstr("row 99999999999999999999 is outside"));
  EXPECT_THAT(refusal(sparse, "3 4 1\nx 1 1\n"), HasSubstr("'x' is not a row"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n1 1.5 1\n"), HasSubstr("'1.5' is not a column"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n1 1\n"), HasSubstr("the value is missing"));
  for (const std::string value : {"nan", "inf", "1e999", "x"})
    EXPECT_THAT(refusal(sparse, "3 4 1\n1 1 " + value + "\n"), HasSubstr("line 3: '" + value + "' is not a value"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n1 1 1 1\n"), HasSubstr("'1' is one word too many"));
  EXPECT_THAT(refusal(sparse, "3 4 1\n1 1 1\n2 2 2\n"),
              HasSubstr("line 4: there are more entries than the 1 declared"));
  EXPECT_THAT(refusal("coordinate real skew-symmetric", "2 2 1\n1 1 3\n"), HasSubstr("zeros on its diagonal"));
  EXPECT_THAT(refusal("array real general", "1 2\n1\n2\n3\n"), HasSubstr("line 5: there are more than the 2 numbers"));
  EXPECT_THAT(refusal("array real general", "1 2\n1\nx\n"), HasSubstr("line 4: 'x' is not a value"));
}

TEST_F(Mtx, RefusesAnEntryThatIsThereTwice) {
  EXPECT_THAT(refusal(sparse, "3 4 4\n2 1 1\n1 1 1\n%\n3 3 1\n2 1 1\n"),
              HasSubstr("line 7: the entry in row 2, column 1 appears twice"));
  EXPECT_THAT(refusal("coordinate real symmetric", "3 3 2\n2 1 1\n1 2 1\n"),
              AllOf(HasSubstr("line 4"), HasSubstr("appears twice")));
  const std::string fifo = dir_.path("pipe.mtx");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(fifo) << "%%MatrixMarket matrix " + sparse + "\n2 2 2\n1 1 1\n1 1 1\n"; });
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(read_dataset(fifo)); }),
              HasSubstr("row 1, column 1 appears twice"));
  writer.join();
}

TEST_F(Mtx, HasNoNamedColumns) {
  EXPECT_THAT(refusal_of<InvalidArgument>("", {.id_col = "1"}), HasSubstr("a Matrix Market file has no named columns"));
}

TEST_F(Mtx, GivesOutSlices) {
  std::string text = "1000 7 4000\n";
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 1000; ++i)
      text += std::to_string(i + 1) + " " + std::to_string(j + 2) + " " + std::to_string(i * 10 + j + 1) + "\n";
  std::string columns = "1000 3\n";
  for (int i = 0; i < 3000; ++i) columns += std::to_string(i) + "\n";
  const std::string coordinate = dir_.write("s.mtx.bz2", test::bzip2("%%MatrixMarket matrix " + sparse + "\n" + text));
  const std::string array = dir_.write("d.mtx", "%%MatrixMarket matrix array real general\n" + columns);
  for (const std::string& path : {coordinate, array}) {
    const Dataset whole = read_dataset(path);
    const auto stream = open_dataset(path);
    EXPECT_EQ(stream->rows(), 1000);
    EXPECT_EQ(stream->cols(), whole.samples.view().cols());
    Index row = 0;
    for (Dataset block = stream->next(333); block.samples.view().rows() > 0; block = stream->next(333)) {
      const SamplesView& X = block.samples.view();
      ASSERT_EQ(X.rows(), std::min<Index>(333, 1000 - row));
      for (Index i = 0; i < X.rows(); ++i, ++row)
        for (Index j = 0; j < X.cols(); ++j) ASSERT_EQ(X(i, j), whole.samples.view()(row, j));
    }
    EXPECT_EQ(row, 1000);
  }
  EXPECT_EQ(read_dataset(coordinate).samples.view()(999, 4), 9994);
  EXPECT_EQ(read_dataset(array).samples.view()(7, 2), 2007);
}

}  // namespace
}  // namespace dualkpca::mtx_test
