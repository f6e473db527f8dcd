#include "model/file/safetensors.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include "dualkpca/core/errors.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::safetensors_test {
namespace {

using testing::HasSubstr;

class Safetensors : public testing::Test {
 protected:
  void write_bytes(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  [[nodiscard]] std::string read_bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Writes a file with this header, followed by `data_bytes` zero bytes.
  void write_header(const std::string& json, std::size_t data_bytes) const {
    std::string header = json;
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = header.size();
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    write_bytes(bytes + header + std::string(data_bytes, '\0'));
  }
  void write_example() const {
    const NamedTensors tensors = {{"narrow", {ElementType::float32, {3}, narrow_.data()}},
                                  {"wide", {ElementType::float64, {2, 3}, wide_.data()}},
                                  {"scalar", {ElementType::float64, {1}, wide_.data() + 5}}};
    write_safetensors(path_, {{"params", R"({"a":"\"checksum\":\"00000000\""})"}, {"version", "0.1.0"}}, tensors);
  }
  void expect_refused(const std::string& message) const {
    try {
      static_cast<void>(read_safetensors(path_));
      ADD_FAILURE() << "was accepted; expected: " << message;
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith(path_));
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    }
  }

  const test::TempDir dir_;
  const std::string path_ = dir_.path("model.dkpca");
  const std::array<float, 3> narrow_ = {1.5F, -2, 3};
  const std::array<double, 6> wide_ = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
};

std::string with_format(const std::string& tensors) {
  return R"({"__metadata__":{"format":"dualkpca","format_version":"1","checksum":"00000000"},)" + tensors + "}";
}

TEST_F(Safetensors, reads_back_what_was_written) {
  write_example();
  const SafetensorsFile file = read_safetensors(path_);
  EXPECT_EQ(file.metadata.at("params"), R"({"a":"\"checksum\":\"00000000\""})");
  EXPECT_EQ(file.metadata.at("version"), "0.1.0");
  EXPECT_EQ(file.metadata.at("format"), "dualkpca");
  ASSERT_EQ(file.tensors.size(), 3U);
  const Tensor& narrow = file.tensors.at("narrow");
  EXPECT_EQ(narrow.type, ElementType::float32);
  EXPECT_EQ(narrow.shape, (std::vector<std::size_t>{3}));
  EXPECT_EQ(std::memcmp(narrow.data, narrow_.data(), sizeof narrow_), 0);
  const Tensor& wide = file.tensors.at("wide");
  EXPECT_EQ(wide.type, ElementType::float64);
  EXPECT_EQ(wide.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(std::memcmp(wide.data, wide_.data(), sizeof wide_), 0);
}

TEST_F(Safetensors, arrays_are_aligned) {
  write_example();
  const SafetensorsFile file = read_safetensors(path_);
  for (const auto& [name, tensor] : file.tensors)
    EXPECT_EQ(
        reinterpret_cast<std::uintptr_t>(tensor.data) % std::size_t{tensor.type == ElementType::float32 ? 4U : 8U}, 0U)
        << name;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.tensors.at("wide").data) % 64, 0U);
}

TEST_F(Safetensors, arrays_outlive_the_file) {
  write_example();
  const SafetensorsFile file = read_safetensors(path_);
  std::filesystem::remove(path_);
  EXPECT_EQ(static_cast<const double*>(file.tensors.at("scalar").data)[0], 0.6);
}

TEST_F(Safetensors, refuses_a_flipped_bit_anywhere) {
  write_example();
  const std::string good = read_bytes();
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t i, int byte) {
    file.seekp(static_cast<std::streamoff>(i));
    file.put(static_cast<char>(byte)).flush();
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      put(i, good[i] ^ (1 << bit));
      EXPECT_THROW(static_cast<void>(read_safetensors(path_)), DataError) << "byte " << i << ", bit " << bit;
    }
    put(i, good[i]);
  }
  EXPECT_NO_THROW(static_cast<void>(read_safetensors(path_)));
}

TEST_F(Safetensors, refuses_every_truncation) {
  write_example();
  const std::string good = read_bytes();
  for (std::size_t length = good.size(); length-- > 0;) {
    std::filesystem::resize_file(path_, length);
    EXPECT_THROW(static_cast<void>(read_safetensors(path_)), DataError) << length << " bytes";
  }
  write_bytes(good.substr(0, good.size() - 8));
  expect_refused(fmt::format("is truncated: {} of {} bytes", good.size() - 8, good.size()));
  write_bytes(good.substr(0, 20));
  expect_refused("is truncated: 20 of at least ");
  write_bytes(good + "12345");
  expect_refused("5 bytes follow its last array");
}

TEST_F(Safetensors, refuses_other_files) {
  for (const char* bytes : {"", "a,b\n1,2\n3,4\n", "\x93NUMPY\x01\x00"}) {
    write_bytes(bytes);
    expect_refused("is not a dualkpca model");
  }
  write_header(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4);
  expect_refused("is not a dualkpca model");
  write_header(R"({"__metadata__":{"format":"pt"}})", 0);
  expect_refused("is not a dualkpca model");
  write_header("{ this is not JSON", 0);
  expect_refused("header is damaged");
}

TEST_F(Safetensors, refuses_a_header_longer_than_any) {
  std::string bytes("\xff\xff\xff\xff\xff\xff\xff\x7f{\"__metadata__\":{}}", 27);
  write_bytes(bytes);
  expect_refused("is not a dualkpca model");
}

TEST_F(Safetensors, refuses_a_later_format) {
  write_example();
  std::string bytes = read_bytes();
  const std::string version = R"("format_version":"1")";
  bytes.replace(bytes.find(version), version.size(), R"("format_version":"3")");
  write_bytes(bytes);
  expect_refused("has format version 3; this program reads versions up to 2");
}

TEST_F(Safetensors, names_a_wrong_checksum) {
  write_example();
  std::string bytes = read_bytes();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_bytes(bytes);
  expect_refused("checksum mismatch: the file is damaged");
}

TEST_F(Safetensors, refuses_headers_that_contradict_themselves) {
  struct Case {
    const char *tensors, *message;
  };
  const std::array cases = {
      Case{R"("x":{"dtype":"U8","shape":[1],"data_offsets":[0,8]})", "array 'x' has type 'U8'"},
      Case{R"("x":{"dtype":"F64","shape":[2],"data_offsets":[0,8]})", "does not match its bytes"},
      Case{R"("x":{"dtype":"F64","shape":[1],"data_offsets":[8,0]})", "does not match its bytes"},
      Case{R"("x":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]})", "does not match its bytes"},
      Case{R"("x":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]})", "has a number that is not a size"},
      Case{R"("x":{"dtype":"F64","shape":[1],"data_offsets":[4,12]})", "array 'x' is not aligned"},
      Case{R"("x":{"dtype":"F64","shape":[1],"data_offsets":[8,16]})", "overlap or leave holes"},
      Case{R"("x":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
           R"("y":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})",
           "overlap or leave holes"},
      Case{R"("x":{"dtype":"F64","shape":[1000],"data_offsets":[0,8000]})", "is truncated"},
      Case{R"("x":{"dtype":"F64","shape":[1]})", "array 'x' is incomplete"},
      Case{R"("x":[1,2,3])", "array 'x' is incomplete"},
      Case{R"("x":{"dtype":"F64","shape":"1","data_offsets":[0,8]})", "array 'x' is incomplete"},
  };
  for (const Case& bad : cases) {
    write_header(with_format(bad.tensors), 16);
    expect_refused(bad.message);
  }
}

TEST_F(Safetensors, missing_file_and_directory) {
  expect_refused("No such file");
  EXPECT_THROW(static_cast<void>(read_safetensors(dir_.path(""))), DataError);
}

}  // namespace
}  // namespace dualkpca::safetensors_test
