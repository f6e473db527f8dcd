#include "dualkpca/core/errors.hpp"
#include "unit/data/streams_util.hpp"

namespace dualkpca::writers_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Writers : public testing::Test {
 protected:
  std::string written(FileFormat format, const SamplesView& X, TableLayout layout = {}) const {
    layout.format = format;
    test::write_table(dir_.path("out"), X, layout, 1);
    return dir_.read("out");
  }
  static CsrMatrix small_sparse() {
    CsrMatrix X;
    X.cols = 3;
    X.offsets = {0, 2, 2, 3};
    X.columns = {0, 2, 1};
    X.values = {0.1, -2, 0};
    return X;
  }
  test::TempDir dir_;
};

TEST_F(Writers, Csv) {
  const Matrix X{{0.1, 0}, {-2, 1e100}};
  EXPECT_EQ(written(FileFormat::csv, X), "x1,x2\n0.1,0\n-2,1e+100\n");
  EXPECT_EQ(written(FileFormat::csv, X, {.with_header = false}), "0.1,0\n-2,1e+100\n");
  EXPECT_EQ(written(FileFormat::tsv, X, {.columns = {"a", "b"}}), "a\tb\n0.1\t0\n-2\t1e+100\n");
  EXPECT_EQ(written(FileFormat::csv, Samples(small_sparse()).view(), {.with_header = false}),
            "0.1,0,-2\n0,0,0\n0,0,0\n");
}

TEST_F(Writers, IdsAndLabelsStandAroundTheNumbers) {
  const auto writer = make_table_writer(
      dir_.path("a.csv"), {.columns = {"x"}, .with_ids = true, .with_labels = true, .label_name = "kind"});
  writer->write(Matrix{{1}, {2}}, {"a", "b"}, {"good", "very, very bad"});
  EXPECT_THROW(writer->write(Matrix{{1}}, {"a"}), InvalidArgument);
  EXPECT_THROW(writer->write(Matrix{{1}}, {}, {"good"}), InvalidArgument);
  writer->commit();
  EXPECT_EQ(dir_.read("a.csv"), "id,x,kind\na,1,good\nb,2,\"very, very bad\"\n");
}

TEST_F(Writers, LibsvmDropsZeros) {
  EXPECT_EQ(written(FileFormat::libsvm, Matrix{{0.1, 0, -2}, {0, 0, 0}}), "0 1:0.1 3:-2\n0\n");
  EXPECT_EQ(written(FileFormat::libsvm, Samples(small_sparse()).view()), "0 1:0.1 3:-2\n0\n0\n");
  EXPECT_EQ(written(FileFormat::libsvm, Matrix{{1.0 / 3}}, {.precision = Precision::float32}), "0 1:0.33333334\n");
}

TEST_F(Writers, LibsvmLabelsAreNumbers) {
  const auto writer = make_table_writer(dir_.path("a"), {.cols = 1, .with_labels = true, .format = FileFormat::libsvm});
  writer->write(Matrix{{1}, {2}, {3}, {4}}, {}, {"1", "+1", "-2.5e3", "1,4,7"});
  for (const std::string label : {"", "a", "1 2", "1:", "1,", "1,,2", "#1"})
    EXPECT_THAT(test::message_of<DataError>([&] { writer->write(Matrix{{1}}, {}, {label}); }),
                AllOf(HasSubstr("row 5"), HasSubstr("label '" + label)));
  writer->commit();
  EXPECT_EQ(dir_.read("a"), "1 1:1\n+1 1:2\n-2.5e3 1:3\n1,4,7 1:4\n");
}

TEST_F(Writers, MatrixMarket) {
  EXPECT_EQ(written(FileFormat::mtx, Matrix{{1, 2}, {3, 4}, {5, 0}}),
            "%%MatrixMarket matrix array real general\n3 2\n1\n3\n5\n2\n4\n0\n");
  const std::string begin = "%%MatrixMarket matrix coordinate real general\n3 3 3";
  const std::string entries = "\n1 1 0.1\n1 3 -2\n3 2 0\n";
  const Samples sparse(small_sparse());
  EXPECT_EQ(written(FileFormat::mtx, sparse.view(), {.rows = 3, .nonzeros = 3}), begin + entries);
  const std::string patched = written(FileFormat::mtx, sparse.view());
  EXPECT_TRUE(patched.starts_with(begin + ' ')) << patched;
  EXPECT_TRUE(patched.ends_with(' ' + entries)) << patched;
}

TEST_F(Writers, RowsNeedNotBeKnownBeforehand) {
  const Matrix X = test::random_matrix(100, 3);
  for (const FileFormat format : {FileFormat::npy, FileFormat::npz, FileFormat::h5})
    for (const Index rows : {-1, 100})
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        const std::string path =
            test::write_table(dir_.path("out"), X, {.rows = rows, .precision = precision, .format = format});
        const auto stream = format == FileFormat::npy   ? open_npy(path, {})
                            : format == FileFormat::npz ? open_npz(path, {})
                                                        : open_hdf5(path, {});
        const Matrix expected = precision == Precision::float32 ? Matrix(X.cast<float>().cast<double>()) : X;
        EXPECT_EQ(test::read_stream(*stream, 30, precision), expected);
      }
}

TEST_F(Writers, APipeNeedsTheTotals) {
  for (const FileFormat format : {FileFormat::npy, FileFormat::npz, FileFormat::mtx}) {
    const TableLayout layout{.cols = 1, .sparse = format == FileFormat::mtx, .format = format};
    EXPECT_TRUE(needs_totals("/dev/null", layout));
    EXPECT_FALSE(needs_totals(dir_.path("a"), layout));
    EXPECT_THAT(test::message_of<InvalidArgument>([&] { static_cast<void>(make_table_writer("/dev/null", layout)); }),
                AllOf(HasSubstr("/dev/null"), HasSubstr("must be known")));
    EXPECT_NO_THROW(static_cast<void>(make_table_writer(dir_.path("a"), layout)));
  }
  EXPECT_TRUE(needs_totals(dir_.path("a.mtx.gz"), {.sparse = true, .format = FileFormat::mtx}));
  EXPECT_FALSE(needs_totals(dir_.path("a.mtx.gz"), {.sparse = false, .format = FileFormat::mtx}));
  EXPECT_THROW(static_cast<void>(make_table_writer("/dev/null", {.cols = 1, .format = FileFormat::h5})),
               InvalidArgument);
}

TEST_F(Writers, NothingIsLeftOfATableThatWasGivenUp) {
  for (const bool sparse : {false, true})
    for (const FileFormat format : {FileFormat::csv, FileFormat::tsv, FileFormat::npy, FileFormat::npz,
                                    FileFormat::libsvm, FileFormat::mtx, FileFormat::h5}) {
      const auto writer = make_table_writer(dir_.path("a"), {.cols = 2, .rows = 5, .sparse = sparse, .format = format});
      writer->write(Matrix{{1, 2}, {3, 4}});
      EXPECT_THAT(test::message_of<InvalidArgument>([&] { writer->commit(); }),
                  AllOf(HasSubstr("5 rows"), HasSubstr("2 were written")));
      EXPECT_THROW(writer->write(Matrix{{1}}), InvalidArgument);
    }
  EXPECT_EQ(dir_.count_files(), 0);
}

TEST_F(Writers, LayoutsThatContradictThemselves) {
  EXPECT_THROW(static_cast<void>(make_table_writer(dir_.path("a.csv"), TableLayout{})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_table_writer(dir_.path("a.csv"), {.columns = {"a"}, .cols = 2})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_table_writer(dir_.path("a.gz"), {.cols = 2, .format = FileFormat::npy})),
               InvalidArgument);
}

TEST_F(Writers, CompressedTextHasTheMagicBytes) {
  const Matrix X = test::random_matrix(1000, 10);
  const std::string plain = written(FileFormat::csv, X);
  test::write_table(dir_.path("a.gz"), X, {.format = FileFormat::csv});
  test::write_table(dir_.path("a.BZ2"), X, {.format = FileFormat::csv});
  EXPECT_TRUE(dir_.read("a.gz").starts_with("\x1f\x8b"));
  EXPECT_TRUE(dir_.read("a.BZ2").starts_with("BZh"));
  EXPECT_LT(dir_.read("a.gz").size(), plain.size() * 2 / 3);
  EXPECT_LT(dir_.read("a.BZ2").size(), plain.size() * 2 / 3);
}

}  // namespace
}  // namespace dualkpca::writers_test
