#include <fcntl.h>
#include <sys/stat.h>

#include <thread>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/write.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::output_file_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Redirects standard output to a file during its lifetime, like "> file" and ">> file".
class StandardOutputTo {
 public:
  explicit StandardOutputTo(const std::string& path, int flags = O_TRUNC) {
    std::fflush(stdout);
    saved_ = ::dup(STDOUT_FILENO);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | flags, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::close(file);
  }
  ~StandardOutputTo() {
    std::fflush(stdout);
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
  }
  StandardOutputTo(const StandardOutputTo&) = delete;
  StandardOutputTo& operator=(const StandardOutputTo&) = delete;

 private:
  int saved_;
};

class OutputFileTest : public testing::Test {
 protected:
  template <class E>
  static std::string refusal(const std::string& path) {
    const std::string message = test::message_of<E>([&] {
      OutputFile file(path);
      file.write("text");
      file.commit();
    });
    // A message contains at most 300 characters of a path, and the temporary folder may have a long name.
    EXPECT_THAT(message, HasSubstr(path == "-" ? "standard output" : path.substr(0, 200)));
    return message;
  }
  test::TempDir dir_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenCommitted) {
  {
    OutputFile file(dir_.path("a"));
    file.write("whole ");
    file.write("text");
    EXPECT_FALSE(fs::exists(dir_.path("a")));
    file.commit();
    EXPECT_EQ(dir_.read("a"), "whole text");
  }
  EXPECT_EQ(dir_.read("a"), "whole text");
  EXPECT_EQ(dir_.count_files(), 1);
}

TEST_F(OutputFileTest, LeavesNothingBehindIfNotCommitted) {
  { OutputFile(dir_.path("a")).write("half"); }
  EXPECT_EQ(dir_.count_files(), 0);
}

// An unnamed file leaves nothing behind, even if the process is killed.
TEST_F(OutputFileTest, HasNoNameUntilCommitted) {
  const int nameless = ::open(dir_.path("").c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (nameless < 0) GTEST_SKIP() << "the file system has no files without names";
  ::close(nameless);
  dir_.write("a", "old");
  OutputFile replacing(dir_.path("a")), making(dir_.path("b"));
  replacing.write("new");
  making.write("new");
  EXPECT_EQ(dir_.count_files(), 1);
  replacing.commit();
  making.commit();
  EXPECT_EQ(dir_.count_files(), 2);
}

TEST_F(OutputFileTest, GetsATemporaryNameForOtherLibraries) {
  OutputFile file(dir_.path("a"));
  const std::string name = file.temporary();
  EXPECT_TRUE(fs::exists(name));
  EXPECT_EQ(file.temporary(), name);
  file.write("text");
  file.commit();
  EXPECT_EQ(dir_.read("a"), "text");
  EXPECT_EQ(dir_.count_files(), 1);
  { EXPECT_TRUE(fs::exists(OutputFile(dir_.path("a")).temporary())); }
  EXPECT_EQ(dir_.count_files(), 1);
  EXPECT_EQ(OutputFile("/dev/null").temporary(), "");
}

TEST_F(OutputFileTest, KeepsTheOldFileUntilCommitted) {
  dir_.write("a", "old");
  { OutputFile(dir_.path("a")).write("half"); }
  EXPECT_EQ(dir_.read("a"), "old");
  OutputFile file(dir_.path("a"));
  file.write("new");
  EXPECT_EQ(dir_.read("a"), "old");
  file.commit();
  EXPECT_EQ(dir_.read("a"), "new");
  EXPECT_EQ(dir_.count_files(), 1);
}

TEST_F(OutputFileTest, TwoWritersOfOneFileDoNotMix) {
  OutputFile first(dir_.path("a")), second(dir_.path("a"));
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(dir_.read("a"), "first");
  second.commit();
  EXPECT_EQ(dir_.read("a"), "second");
}

TEST_F(OutputFileTest, KeepsPermissionsAndLinks) {
  dir_.write("real", "old");
  fs::permissions(dir_.path("real"), fs::perms(0600));
  fs::create_symlink("real", dir_.path("link"));
  OutputFile file(dir_.path("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(dir_.path("link")));
  EXPECT_EQ(dir_.read("real"), "new");
  EXPECT_EQ(fs::status(dir_.path("real")).permissions(), fs::perms(0600));
}

TEST_F(OutputFileTest, NewFilesFollowTheUmask) {
  const mode_t before = ::umask(027);
  OutputFile file(dir_.path("a"));
  ::umask(before);
  file.commit();
  EXPECT_EQ(fs::status(dir_.path("a")).permissions(), fs::perms(0640));
}

TEST_F(OutputFileTest, AFullDiskIsAResource) {
  EXPECT_THAT(refusal<ResourceError>("/dev/full"), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, AFullDiskIsSeenBeforeTheEnd) {
  OutputFile file("/dev/full");
  const std::string megabyte(1 << 20, 'x');
  EXPECT_THROW(file.write(megabyte), ResourceError);
}

TEST_F(OutputFileTest, WritesToAPipeDirectly) {
  const std::string fifo = dir_.path("pipe");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream in(fifo);
    received.assign(std::istreambuf_iterator<char>(in), {});
  });
  {
    OutputFile file(fifo);
    file.write("through the pipe");
    file.commit();
  }
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST_F(OutputFileTest, AnAbandonedDeviceIsNotDeleted) {
  { OutputFile("/dev/null").write("text"); }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, DashIsStandardOutput) {
  {
    const StandardOutputTo redirected(dir_.path("out"));
    std::printf("printed, ");
    OutputFile file("-");
    file.write("written");
    file.commit();
    std::printf(", printed");
  }
  EXPECT_EQ(dir_.read("out"), "printed, written, printed");
}

// If standard output is redirected, /dev/stdout is a regular file. It must be neither truncated nor replaced.
TEST_F(OutputFileTest, DevStdoutIsStandardOutput) {
  dir_.write("out", "kept, ");
  {
    const StandardOutputTo redirected(dir_.path("out"), O_APPEND);
    OutputFile file("/dev/stdout");
    file.write("written");
    file.commit();
    std::printf(", printed");
  }
  EXPECT_EQ(dir_.read("out"), "kept, written, printed");
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

TEST_F(OutputFileTest, StandardOutputMayBeFull) {
  const StandardOutputTo redirected("/dev/full", 0);
  EXPECT_THAT(refusal<ResourceError>("-"), HasSubstr("No space left"));
}

TEST_F(OutputFileTest, RefusesADirectory) {
  fs::create_directory(dir_.path("folder"));
  EXPECT_THAT(refusal<DataError>(dir_.path("folder")), HasSubstr("Is a directory"));
  EXPECT_TRUE(fs::is_directory(dir_.path("folder")));
}

TEST_F(OutputFileTest, RefusesAMissingDirectory) {
  EXPECT_THAT(refusal<DataError>(dir_.path("none/a")),
              AllOf(HasSubstr("there is no directory"), HasSubstr(dir_.path("none"))));
}

TEST_F(OutputFileTest, RefusesWhatTheSystemRefuses) {
  EXPECT_THAT(refusal<DataError>(dir_.path(std::string(256, 'a'))), HasSubstr("File name too long"));
  // The empty name refers to the current directory, so the test changes to one that is writable.
  const fs::path before = fs::current_path();
  fs::current_path(dir_.path(""));
  EXPECT_THAT(refusal<DataError>(""), HasSubstr("No such file"));
  fs::current_path(before);
  dir_.write("file", "");
  EXPECT_THAT(refusal<DataError>(dir_.path("file/a")), HasSubstr("Not a directory"));
  EXPECT_EQ(dir_.count_files(), 1);
}

TEST_F(OutputFileTest, RefusesANameThatIsTooLongBeforeAnythingIsWritten) {
  EXPECT_THROW(OutputFile(dir_.path(std::string(256, 'a'))), DataError);
}

TEST_F(OutputFileTest, TheTemporaryNameMayNotBeTooLong) {
  const std::string longest(255, 'a');
  OutputFile file(dir_.path(longest));
  file.write("text");
  file.commit();
  EXPECT_EQ(dir_.read(longest), "text");
}

TEST_F(OutputFileTest, DoesNotReplaceAReadOnlyFile) {
  const std::string path = dir_.write("a", "old");
  fs::permissions(dir_.path(""), fs::perms(0777));
  fs::permissions(path, fs::perms(0444));
  {
    const test::AsNobody nobody;
    if (!nobody.has_no_rights()) GTEST_SKIP() << "there is no other user";
    EXPECT_THAT(refusal<DataError>(path), HasSubstr("Permission denied"));
  }
  EXPECT_EQ(dir_.read("a"), "old");
}

TEST_F(OutputFileTest, TellsIfTheFileCannotBePutInPlace) {
  OutputFile file(dir_.path("a"));
  fs::create_directory(dir_.path("a"));
  EXPECT_THAT(test::message_of<DataError>([&] { file.commit(); }),
              AllOf(HasSubstr("put in place"), HasSubstr("Is a directory")));
}

}  // namespace
}  // namespace dualkpca::output_file_test
