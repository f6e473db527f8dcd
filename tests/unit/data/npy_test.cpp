#include <cstdint>
#include <cstring>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::npy_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns an NPY file with any dictionary. The header is not padded, so the data may be unaligned.
std::string npy(const std::string& dict, const std::string& data, char version = 1) {
  const std::size_t length = dict.size();
  std::string file = "\x93NUMPY";
  file += {version, '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  if (version > 1) file += {'\0', '\0'};
  return file + dict + data;
}

std::string dict_of(const std::string& descr, const std::string& shape, bool fortran = false) {
  const std::string order = fortran ? "True" : "False";
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string bytes_of_values(std::initializer_list<T> values, bool swapped = false) {
  std::string out;
  for (const T value : values) {
    std::string item(sizeof(T), '\0');
    std::memcpy(item.data(), &value, sizeof(T));
    if (swapped) std::reverse(item.begin(), item.end());
    out += item;
  }
  return out;
}

std::string from_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

class Npy : public testing::Test {
 protected:
  Dataset read(const std::string& bytes) const { return read_dataset(dir_.write("data.npy", bytes)); }
  std::string refusal(const std::string& bytes) const {
    const std::string message = test::message_of<DataError>([&] { static_cast<void>(read(bytes)); });
    EXPECT_THAT(message, HasSubstr(dir_.path("data.npy")));
    return message;
  }
  void expect_2x3(const std::string& bytes, const std::vector<double>& expected, Precision precision) const {
    const Dataset data = read(bytes);
    const SamplesView& X = data.samples.view();
    ASSERT_EQ(X.rows(), 2);
    ASSERT_EQ(X.cols(), 3);
    EXPECT_EQ(X.precision(), precision);
    for (Index i = 0; i < 2; ++i)
      for (Index j = 0; j < 3; ++j) EXPECT_EQ(X(i, j), expected[static_cast<std::size_t>(3 * i + j)]);
  }
  test::TempDir dir_;
};

// Bytes of np.save from numpy 1.24, for [[1.5, -2, 3], [4, 5e-324, 0.1]] and for [[1, 2, 3], [4, 5, 6]] as Fortran
// '<f4'.
const std::string numpy_f8 = std::string("\x93NUMPY\x01\0v\0", 10) +
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }" + std::string(58, ' ') +
                             "\n" +
                             from_hex(
                                 "000000000000f83f00000000000000c00000000000000840"
                                 "000000000000104001000000000000009a9999999999b93f");
const std::string numpy_f4_fortran =
    std::string("\x93NUMPY\x01\0v\0", 10) + "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }" +
    std::string(59, ' ') + "\n" + from_hex("0000803f00008040000000400000a040000040400000c040");

TEST_F(Npy, ReadsWhatNumpyWrote) {
  ASSERT_EQ(numpy_f8.size(), 176u);
  expect_2x3(numpy_f8, {1.5, -2, 3, 4, 5e-324, 0.1}, Precision::float64);
  ASSERT_EQ(numpy_f4_fortran.size(), 152u);
  expect_2x3(numpy_f4_fortran, {1, 2, 3, 4, 5, 6}, Precision::float32);
}

// A change of the file also changes the data, which shows that nothing was copied.
TEST_F(Npy, FloatsAreMappedNotCopied) {
  const Dataset data = read(numpy_f8);
  std::fstream file(dir_.path("data.npy"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(128);
  file << bytes_of_values({42.0}) << std::flush;
  EXPECT_EQ(data.samples.view()(0, 0), 42.0);
  std::filesystem::remove(dir_.path("data.npy"));
  EXPECT_EQ(data.samples.view()(0, 0), 42.0);
}

TEST_F(Npy, AcceptsEveryVersionOfTheHeader) {
  const std::string data = bytes_of_values<float>({1, 2, 3, 4, 5, 6});
  for (const char version : {'\1', '\2', '\3'}) {
    std::string dict = dict_of("<f4", "(2, 3)");
    dict.resize(128 - (version == 1 ? 10 : 12), ' ');
    expect_2x3(npy(dict, data, version), {1, 2, 3, 4, 5, 6}, Precision::float32);
  }
  EXPECT_THAT(refusal(npy(dict_of("<f4", "(1, 1)"), "abcd", '\4')),
              AllOf(HasSubstr("version 4.0"), HasSubstr("1.0, 2.0 and 3.0")));
}

TEST_F(Npy, AcceptsUnalignedData) {
  for (std::size_t pad = 0; pad < 8; ++pad) {
    const Dataset data = read(npy(dict_of("<f8", "(1, 2)") + std::string(pad, ' '), bytes_of_values({0.25, -1e300})));
    EXPECT_EQ(data.samples.view()(0, 0), 0.25);
    EXPECT_EQ(data.samples.view()(0, 1), -1e300);
  }
}

TEST_F(Npy, AcceptsOtherSpellingsOfTheHeader) {
  const std::string data = bytes_of_values<double>({1, 2, 3, 4, 5, 6});
  expect_2x3(npy("{\"shape\": (2L, 3L), \"fortran_order\":False,\"descr\":\"=f8\"}", data), {1, 2, 3, 4, 5, 6},
             Precision::float64);
  expect_2x3(npy("{'shape':(2,3,),'descr':'|f8','fortran_order': False}   ", data), {1, 2, 3, 4, 5, 6},
             Precision::float64);
}

TEST_F(Npy, ConvertsIntegersAndBool) {
  const auto check = [&]<class T>(const std::string& descr, std::initializer_list<T> values, bool swapped = false) {
    SCOPED_TRACE(descr);
    std::vector<double> expected;
    for (const T value : values) expected.push_back(static_cast<double>(value));
    expect_2x3(npy(dict_of(descr, "(2, 3)"), bytes_of_values(values, swapped)), expected, Precision::float64);
  };
  check("|i1", std::initializer_list<std::int8_t>{-128, 127, 0, 1, -1, 5});
  check("|u1", std::initializer_list<std::uint8_t>{255, 127, 0, 1, 2, 5});
  check("<i2", std::initializer_list<std::int16_t>{-32768, 32767, 0, 1, -1, 5});
  check("<u2", std::initializer_list<std::uint16_t>{65535, 1, 0, 1, 2, 5});
  check("<i4", std::initializer_list<std::int32_t>{-2147483647, 2147483647, 0, 1, -1, 5});
  check("<u4", std::initializer_list<std::uint32_t>{4294967295u, 1, 0, 1, 2, 5});
  check("<i8", std::initializer_list<std::int64_t>{-(1LL << 53), 1LL << 53, 0, 1, -1, 5});
  check("<u8", std::initializer_list<std::uint64_t>{1ULL << 63, 1, 0, 1, 2, 5});
  check("|b1", std::initializer_list<std::uint8_t>{1, 0, 0, 1, 1, 1});
  check(">i2", std::initializer_list<std::int16_t>{-32768, 32767, 0, 1, -1, 5}, true);
  check(">f4", std::initializer_list<float>{1.5f, -2, 3, 4, 1e-40f, 0.1f}, true);
  check(">f8", std::initializer_list<double>{1.5, -2, 3, 4, 5e-324, 0.1}, true);
}

TEST_F(Npy, ConvertsFortranOrderToo) {
  expect_2x3(npy(dict_of("<i4", "(2, 3)", true), bytes_of_values<std::int32_t>({1, 4, 2, 5, 3, 6})), {1, 2, 3, 4, 5, 6},
             Precision::float64);
}

TEST_F(Npy, LeavesNaNToItsCallers) {
  const Dataset data = read(npy(dict_of("<f8", "(1, 1)"), bytes_of_values({std::numeric_limits<double>::quiet_NaN()})));
  EXPECT_TRUE(std::isnan(data.samples.view()(0, 0)));
}

TEST_F(Npy, RefusesOtherItems) {
  const std::string data(64, '\0');
  const auto said = [&](const std::string& descr) { return refusal(npy(dict_of(descr, "(1, 1)"), data)); };
  EXPECT_THAT(said("|O"), AllOf(HasSubstr("Python objects"), HasSubstr("'|O'"), HasSubstr("float64")));
  EXPECT_THAT(said("<c16"), HasSubstr("complex numbers"));
  EXPECT_THAT(said("<U2"), HasSubstr("text"));
  EXPECT_THAT(said("|S2"), HasSubstr("text"));
  EXPECT_THAT(said("<M8[D]"), HasSubstr("dates or times"));
  EXPECT_THAT(said("|V3"), HasSubstr("raw records"));
  EXPECT_THAT(said("<f2"), AllOf(HasSubstr("floats of another width"), HasSubstr("float32")));
  EXPECT_THAT(said("<f16"), HasSubstr("floats of another width"));
  EXPECT_THAT(said("<i3"), HasSubstr("'<i3'"));
  EXPECT_THAT(said("<f8x"), HasSubstr("'<f8x'"));
  EXPECT_THAT(said(""), HasSubstr("unknown type"));
  EXPECT_THAT(refusal(npy("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1, 1), }", data)),
              HasSubstr("structured"));
}

TEST_F(Npy, RefusesOtherShapes) {
  const std::string data(64, '\0');
  EXPECT_THAT(refusal(npy(dict_of("<f8", "(5,)"), data)),
              AllOf(HasSubstr("(5,)"), HasSubstr("reshape(-1, 1)"), HasSubstr("2-D")));
  EXPECT_THAT(refusal(npy(dict_of("<f8", "()"), data)), AllOf(HasSubstr("()"), HasSubstr("2-D")));
  EXPECT_THAT(refusal(npy(dict_of("<f8", "(2, 2, 2)"), data)), HasSubstr("(2, 2, 2)"));
  EXPECT_THAT(refusal(npy(dict_of("<f8", "(0, 3)"), data)), HasSubstr("at least one row"));
  EXPECT_THAT(refusal(npy(dict_of("<f8", "(3, 0)"), data)), HasSubstr("at least one row"));
}

TEST_F(Npy, RefusesTruncatedData) {
  EXPECT_THAT(refusal(numpy_f8.substr(0, 170)),
              AllOf(HasSubstr("cut short"), HasSubstr("48 bytes"), HasSubstr("42 are there")));
  EXPECT_THAT(refusal(numpy_f8.substr(0, 128)), HasSubstr("0 are there"));
  for (std::size_t size = 0; size < 176; ++size) refusal(numpy_f8.substr(0, size));
}

TEST_F(Npy, RefusesSizesThatOverflow) {
  for (const std::string shape :
       {"(9223372036854775807, 9223372036854775807)", "(4611686018427387904, 4)", "(4294967296, 4294967296)",
        "(1, 9223372036854775807)", "(2305843009213693952, 1)", "(3, 1000000000)"})
    EXPECT_THAT(refusal(npy(dict_of("<f8", shape), "12345678")), HasSubstr("cut short")) << shape;
  EXPECT_THAT(refusal(npy(dict_of("<f8", "(99999999999999999999, 1)"), "12345678")), HasSubstr("is not a size"));
  EXPECT_THAT(refusal(npy(dict_of("<f8", "(-1, 1)"), "12345678")), HasSubstr("is not a size"));
}

TEST_F(Npy, RefusesWhatIsNoNpyFile) {
  EXPECT_THAT(refusal("1,2,3\n4,5,6\n"), AllOf(HasSubstr("not an NPY file"), HasSubstr("'1,2,3?'")));
  EXPECT_THAT(refusal(""), HasSubstr("not an NPY file"));
  EXPECT_THAT(refusal("\x93NUMPY"), HasSubstr("cut short"));
  EXPECT_THAT(refusal(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14)),
              AllOf(HasSubstr("4294967295 bytes declared"), HasSubstr("2 there")));
}

TEST_F(Npy, RefusesMalformedHeaders) {
  for (const std::string dict :
       {"", "{", "}", "{}", "{'descr'", "{'descr': '<f8", "{'descr': '<f8'}", "{'descr': '<f8', 'shape': (1, 1)}",
        "{'descr': '<f8', 'fortran_order': 1, 'shape': (1, 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (x, 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [1, 1]}", "{'other': 1}",
        "{'descr': '<f8' 'shape': (1, 1)}"})
    EXPECT_THAT(refusal(npy(dict, "12345678")), HasSubstr("not a valid NPY file")) << dict;
}

}  // namespace
}  // namespace dualkpca::npy_test
