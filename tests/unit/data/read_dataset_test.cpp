#include <sys/stat.h>

#include <thread>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"
#include "unit/data/compress.hpp"

namespace dualkpca::read_dataset_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ReadDataset : public testing::Test {
 protected:
  template <class E = DataError>
  static std::string refusal(const std::string& path, const ReadOptions& options = {}) {
    const std::string message = test::message_of<E>([&] { static_cast<void>(read_dataset(path, options)); });
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }
  test::TempDir dir_;
};

TEST_F(ReadDataset, TheCaseOfTheExtensionDoesNotMatter) {
  EXPECT_EQ(read_dataset(dir_.write("a.CSV", "1,2\n")).samples.view().cols(), 2);
  EXPECT_EQ(read_dataset(dir_.write("a.Tsv", "1\t2\n")).samples.view().cols(), 2);
  EXPECT_THAT(refusal(dir_.write("a.NPY", "1,2\n")), HasSubstr("not an NPY file"));
}

TEST_F(ReadDataset, RefusesOtherExtensions) {
  for (const std::string name : {"a.txt", "a", "a.csv.bak", ".csv"})
    EXPECT_THAT(refusal(dir_.write(name, "1,2\n")), HasSubstr(".csv, .tsv, .npy"));
}

TEST_F(ReadDataset, TellsTheSystemsReason) {
  EXPECT_THAT(refusal(dir_.path("none.csv")), HasSubstr("No such file or directory"));
  EXPECT_THAT(refusal(dir_.path("none")), HasSubstr("No such file or directory"));
  EXPECT_THAT(refusal(dir_.path("none.npy")), HasSubstr("No such file or directory"));
  std::filesystem::create_directory(dir_.path("folder.csv"));
  EXPECT_THAT(refusal(dir_.path("folder.csv")), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(dir_.path("")), HasSubstr("Is a directory"));
  EXPECT_THAT(test::message_of<DataError>([] { static_cast<void>(read_csv("/proc/self/mem", ',')); }),
              HasSubstr("/proc/self/mem"));
}

TEST_F(ReadDataset, RefusesAFileItMayNotRead) {
  const std::string path = dir_.write("secret.csv", "1,2\n");
  std::filesystem::permissions(dir_.path(""), std::filesystem::perms(0755));
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const test::AsNobody nobody;
  if (!nobody.has_no_rights()) GTEST_SKIP() << "there is no other user";
  EXPECT_THAT(refusal(path), HasSubstr("Permission denied"));
}

TEST_F(ReadDataset, NpyHasNoNamedColumns) {
  const std::string path = dir_.write("a.npy", "");
  EXPECT_THAT(refusal<InvalidArgument>(path, {.label_col = "class"}),
              AllOf(HasSubstr("label_col"), HasSubstr("no named columns")));
  EXPECT_THAT(refusal<InvalidArgument>(path, {.id_col = "1"}),
              AllOf(HasSubstr("id_col"), HasSubstr("no named columns")));
}

TEST_F(ReadDataset, TextMayBeCompressed) {
  const std::string csv = "1,2\n3,4\n";
  for (const std::string name : {"a.csv.gz", "a.CSV.GZ", "a.csv", "a.csv.bz2"})
    for (const std::string& bytes : {test::gzip(csv), test::bzip2(csv), csv})
      EXPECT_EQ(read_dataset(dir_.write(name, bytes)).samples.view()(1, 1), 4) << name;
  EXPECT_EQ(read_dataset(dir_.write("a.svmlight.gz", test::gzip("1 3:2\n"))).samples.view().cols(), 3);
  for (const std::string name : {"a.npy.gz", "a.npz.gz", "a.h5.bz2"})
    EXPECT_THAT(refusal(dir_.write(name, "")), HasSubstr("only text may be compressed"));
  EXPECT_THAT(refusal(dir_.write("a.gz", "")), HasSubstr("the extension names no known format"));
}

TEST_F(ReadDataset, TheFormatCanBeGiven) {
  const std::string path = dir_.write("a.txt", "1\t2\n");
  EXPECT_EQ(read_dataset(path, {.format = FileFormat::tsv}).samples.view().cols(), 2);
  EXPECT_EQ(read_dataset(dir_.write("b.csv", "1 3:2\n"), {.format = FileFormat::libsvm}).samples.view().cols(), 3);
}

TEST_F(ReadDataset, APartOfAFileIsNotPartOfItsName) {
  for (const std::string name : {"none.h5:/x", "none.npz:y", "no:ne.HDF5:/a/b"}) {
    const std::string message = test::message_of<DataError>([&] { static_cast<void>(read_dataset(dir_.path(name))); });
    EXPECT_THAT(message, AllOf(HasSubstr(dir_.path(name).substr(0, dir_.path(name).rfind(':')) + ": cannot be read"),
                               HasSubstr("No such file")));
  }
  EXPECT_THAT(refusal(dir_.path("none.csv:x")), HasSubstr("No such file"));
  EXPECT_EQ(read_dataset(dir_.write("a.npz:b.csv", "1,2\n")).samples.view().cols(),
            2);  // the whole text is the name of a file
}

TEST_F(ReadDataset, PipesAreCsv) {
  const std::string fifo = dir_.path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(fifo) << "1,2\n"; });
  EXPECT_EQ(read_dataset(fifo).samples.view().cols(), 2);
  writer.join();
}

TEST_F(ReadDataset, AHostilePathStaysOnOneLine) {
  EXPECT_THAT(test::message_of<DataError>([&] { static_cast<void>(read_dataset(dir_.path("a\nb\x1b.csv"))); }),
              HasSubstr("a?b?.csv"));
}

}  // namespace
}  // namespace dualkpca::read_dataset_test
