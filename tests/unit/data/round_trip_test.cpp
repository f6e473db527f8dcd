// Property tests: for many random tables, a written table is read back bit by bit.

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/read.hpp"
#include "dualkpca/data/write.hpp"
#include "support/temp_dir.hpp"

namespace dualkpca::round_trip_test {
namespace {

using Random = std::mt19937_64;

Index below(Index bound, Random& random) { return std::uniform_int_distribution<Index>(0, bound - 1)(random); }

// Returns any finite bit pattern: all magnitudes, denormals and both zeros occur.
double any_double(Random& random) {
  if (below(4, random) == 0) return static_cast<double>(below(2001, random) - 1000) / 8;
  for (;;)
    if (const double value = std::bit_cast<double>(static_cast<std::uint64_t>(random())); std::isfinite(value))
      return value;
}

std::string any_text(Random& random) {
  constexpr std::string_view alphabet = "abAB01 \t,;\"'\n\r?\xc3\xa9";
  const auto letters = static_cast<Index>(alphabet.size());
  std::string text;
  for (Index length = below(8, random); length > 0; --length) text += alphabet[below(letters, random)];
  return text;
}

Matrix any_matrix(Random& random) {
  Matrix X(1 + below(30, random), 1 + below(8, random));
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = any_double(random);
  return X;
}

std::vector<std::string> names_for(const Matrix& X) {
  std::vector<std::string> names;
  for (Index j = 0; j < X.cols(); ++j) names.push_back("x" + std::to_string(j));
  return names;
}

void expect_same_bits(const SamplesView& found, const Matrix& expected) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  for (Index i = 0; i < expected.rows(); ++i)
    for (Index j = 0; j < expected.cols(); ++j)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found(i, j)), std::bit_cast<std::uint64_t>(expected(i, j)))
          << expected(i, j);
}

class RoundTrip : public testing::TestWithParam<std::string> {
 protected:
  void write(const std::string& path, const Matrix& X, const std::vector<std::string>& ids, Precision precision) const {
    const auto writer = make_table_writer(path, names_for(X), X.rows(), !ids.empty(), precision);
    writer->write(X, ids);
    writer->commit();
  }
  test::TempDir dir_;
  Random random_{20230723};
};

TEST_P(RoundTrip, KeepsEveryBitOfFloat64) {
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix X = any_matrix(random_);
    write(dir_.path(GetParam()), X, {}, Precision::float64);
    expect_same_bits(read_dataset(dir_.path(GetParam())).samples.view(), X);
  }
}

TEST_P(RoundTrip, KeepsEveryBitOfFloat32) {
  std::normal_distribution<float> normal(0, 1e10f);
  for (int trial = 0; trial < 30; ++trial) {
    Matrix X = any_matrix(random_);
    for (Index i = 0; i < X.size(); ++i) X.data()[i] = static_cast<double>(normal(random_));
    write(dir_.path(GetParam()), X, {}, Precision::float32);
    const Dataset data = read_dataset(dir_.path(GetParam()));
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.cols(); ++j)
        ASSERT_EQ(static_cast<float>(data.samples.view()(i, j)), static_cast<float>(X(i, j)));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, RoundTrip, testing::Values("a.csv", "a.tsv", "a.npy"),
                         [](const auto& format) { return format.param.substr(2); });

TEST(RoundTripOfIds, KeepsHostileText) {
  const test::TempDir dir;
  Random random{7};
  for (const std::string name : {"a.csv", "a.tsv"})
    for (int trial = 0; trial < 60; ++trial) {
      const Matrix X = any_matrix(random);
      std::vector<std::string> ids;
      for (Index i = 0; i < X.rows(); ++i) ids.push_back(any_text(random));
      const auto writer = make_table_writer(dir.path(name), names_for(X), -1, true);
      writer->write(X, ids);
      writer->commit();
      const Dataset data = read_dataset(dir.path(name), {.id_col = "id"});
      expect_same_bits(data.samples.view(), X);
      ASSERT_EQ(data.ids, ids);
      ASSERT_EQ(data.feature_names, names_for(X));
    }
}

// Writes the same numbers in every form that a file may have.
TEST(RoundTripOfForms, DecorationsDoNotChangeNumbers) {
  const test::TempDir dir;
  Random random{11};
  for (int trial = 0; trial < 300; ++trial) {
    const Matrix X = any_matrix(random);
    const std::string line_end = below(2, random) == 0 ? "\n" : "\r\n";
    std::string text = below(2, random) == 0 ? "" : "\xef\xbb\xbf";
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < X.cols(); ++j) {
        char digits[64];
        std::snprintf(digits, sizeof digits, below(2, random) == 0 ? "%.17g" : "%.16e", X(i, j));
        std::string field = below(4, random) == 0 && !std::signbit(X(i, j)) ? "+" : "";
        field += digits;
        if (below(4, random) == 0) field = " " + field + "\t ";
        if (below(4, random) == 0) field = "\"" + field + "\"";
        if (below(4, random) == 0) field = "\t" + field + " ";
        text += (j > 0 ? "," : "") + field;
      }
      text += line_end;
    }
    for (Index blank = below(3, random); blank > 0; --blank) text += line_end;
    expect_same_bits(read_dataset(dir.write("a.csv", text)).samples.view(), X);
  }
}

// Damaged files must be read or refused, and never crash. The sanitizers make this test stricter.
TEST(RoundTripOfDamage, NeverCrashes) {
  const test::TempDir dir;
  Random random{13};
  for (const std::string name : {"a.csv", "a.npy"}) {
    const Matrix X = any_matrix(random);
    const auto writer = make_table_writer(dir.path(name), names_for(X), X.rows(), false);
    writer->write(X, {});
    writer->commit();
    const std::string good = dir.read(name);
    int refused = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      std::string bad = good.substr(0, static_cast<std::size_t>(below(static_cast<Index>(good.size()) + 1, random)));
      for (Index changes = below(4, random); changes > 0 && !bad.empty(); --changes)
        bad[static_cast<std::size_t>(below(std::min<Index>(200, static_cast<Index>(bad.size())), random))] =
            static_cast<char>(random());
      try {
        const Dataset data = read_dataset(dir.write(name, bad));
        ASSERT_GT(data.samples.view().rows(), 0);
      } catch (const Error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 500);
  }
}

}  // namespace
}  // namespace dualkpca::round_trip_test
