#include "data/npy/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "data/io/text.hpp"
#include "dualkpca/core/errors.hpp"

namespace dualkpca {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

// Parser of the header, a Python dictionary such as {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class DictReader {
 public:
  DictReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  NpyHeader read() {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<Index>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string key = read_string();
      expect(':');
      if (key == "descr")
        descr = read_descr();
      else if (key == "fortran_order")
        fortran_order = read_boolean();
      else if (key == "shape")
        shape = read_shape();
      else
        fail(fmt::format("the header has an unknown key {}", in_quotes(key)));
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!descr || !fortran_order || !shape) fail("the header lacks one of 'descr', 'fortran_order' and 'shape'");
    return {*descr, *fortran_order, *shape};
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw DataError(fmt::format("{}: not a valid NPY file: {}", path_, reason));
  }

  // Takes the token if it comes next, and returns whether it did. Blanks before it are skipped in either case.
  bool accept(std::string_view token) {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size()));
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool accept(char token) { return accept(std::string_view(&token, 1)); }
  void expect(char token) {
    if (!accept(token)) fail(fmt::format("'{}' expected in the header before {}", token, in_quotes(text_)));
  }

  std::string read_string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) fail("a string in the header has no end");
    std::string out(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return out;
  }

  std::string read_descr() {
    if (accept('[') || accept('('))
      throw DataError(
          fmt::format("{}: the array is structured (it has named fields); accepted are 2-D arrays of numbers, "
                      "in numpy: numpy.lib.recfunctions.structured_to_unstructured(a)",
                      path_));
    return read_string();
  }

  bool read_boolean() {
    if (accept("True")) return true;
    if (!accept("False")) fail(fmt::format("True or False expected in the header before {}", in_quotes(text_)));
    return false;
  }

  std::vector<Index> read_shape() {
    std::vector<Index> sizes;
    expect('(');
    while (!accept(')')) {
      Index size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc{} || size < 0) fail(fmt::format("{} in the header is not a size", in_quotes(text_)));
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      accept('L');  // written by Python 2
      sizes.push_back(size);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  std::string_view text_;
  const std::string& path_;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(magic))
    throw DataError(fmt::format("{}: not an NPY file: it begins with {}, not with \\x93NUMPY", path,
                                bytes.empty() ? "nothing" : in_quotes(bytes.substr(0, magic.size()))));
  if (bytes.size() < 12) throw DataError(fmt::format("{}: the NPY header is cut short: {} bytes", path, bytes.size()));
  const std::size_t major = little_endian(bytes.substr(6, 1)), minor = little_endian(bytes.substr(7, 1));
  if (major < 1 || major > 3 || minor != 0)
    throw DataError(fmt::format("{}: NPY version {}.{} is unknown; accepted are 1.0, 2.0 and 3.0", path, major, minor));
  const std::size_t prefix = major == 1 ? 10 : 12;
  const std::size_t length = little_endian(bytes.substr(8, prefix - 8));
  if (length > bytes.size() - prefix)
    throw DataError(fmt::format("{}: the NPY header is cut short: {} bytes declared, {} there", path, length,
                                bytes.size() - prefix));
  NpyHeader header = DictReader(bytes.substr(prefix, length), path).read();
  header.data_offset = prefix + length;
  return header;
}

NpyHeader read_npy_header(const ReadBytes& read, const std::string& path) {
  constexpr std::size_t longest = std::size_t{1} << 20;  // NumPy's own limit is 10000
  constexpr std::size_t beginning = 12;
  std::string bytes(beginning, '\0');
  bytes.resize(read(bytes.data(), beginning));
  if (bytes.size() == beginning && bytes.starts_with(magic)) {
    const std::size_t prefix = bytes[6] == 1 ? 10 : 12;
    const std::size_t length = little_endian(std::string_view(bytes).substr(8, prefix - 8));
    if (length > longest)
      throw DataError(fmt::format("{}: the NPY header declares {} bytes for itself; at most {} are accepted", path,
                                  length, longest));
    const std::size_t end = std::max(prefix + length, beginning);
    bytes.resize(end);
    bytes.resize(beginning + read(bytes.data() + beginning, end - beginning));
  }
  return parse_npy_header(bytes, path);
}

std::string make_npy_header(Index rows, Index cols, Precision precision, std::size_t room) {
  return make_npy_header(fmt::format("<f{}", bytes_of(precision)), fmt::format("({}, {})", rows, cols), room);
}

std::string make_npy_header(std::string_view descr, std::string_view shape, std::size_t room) {
  constexpr std::size_t prefix = 10, alignment = 64;
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  if (room > prefix + dict.size() + 1) dict.append(room - prefix - dict.size() - 1, ' ');
  dict.append(alignment - 1 - (prefix + dict.size()) % alignment, ' ');
  dict += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace dualkpca
