#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "data/io/input_file.hpp"
#include "data/io/text.hpp"
#include "data/npy/npy_items.hpp"
#include "data/npy/npy_stream.hpp"
#include "data/npy/npz_sparse.hpp"
#include "data/npy/zip_archive.hpp"
#include "data/streams.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"

namespace dualkpca {
namespace {

constexpr std::string_view extension = ".npy";

std::string array_name(const ZipEntry& entry) { return entry.name.substr(0, entry.name.size() - extension.size()); }

// Lists arrays as "X (150, 4), y (150,)"; shapes that cannot be read are left out.
std::string list_arrays(const std::string& path, const std::vector<ZipEntry>& arrays) {
  constexpr std::size_t most = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(arrays.size(), most); ++i) {
    out += (i > 0 ? ", " : "") + in_quotes(array_name(arrays[i]));
    try {
      ZipMember member(path, arrays[i]);
      out += " " + shape_text(read_npy_header([&](char* bytes, std::size_t count) { return member.read(bytes, count); },
                                              member.name()));
    } catch (const DataError&) {
      continue;
    }
  }
  if (arrays.size() > most) out += fmt::format(" and {} more", arrays.size() - most);
  return out;
}

// Opens a stored array in Fortran order. Only stored bytes can be read in any order; compressed ones cannot.
std::unique_ptr<DataStream> open_fortran(const std::string& file, const ZipEntry& entry, const Observer& observe) {
  ZipMember member(file, entry);
  const std::size_t begin = member.data_at();
  member.finish();  // compares the checksum, which the stream does not do
  return stream_npy_file(std::make_shared<const OpenFile>(file), begin, entry.bytes, member.name(), observe);
}

std::unique_ptr<DataStream> open_array(const std::string& file, const ZipEntry& entry, const Observer& observe) {
  if (entry.is_stored()) {
    ZipMember member(file, entry);
    const ReadBytes read = [&](char* out, std::size_t count) { return member.read(out, count); };
    if (read_npy_header(read, member.name()).fortran_order) return open_fortran(file, entry, observe);
  }
  const auto member = std::make_shared<ZipMember>(file, entry);
  NpyBytes bytes{.read = [member](char* out, std::size_t count) { return member->read(out, count); },
                 .finish = [member] { member->finish(); },
                 .present = static_cast<std::size_t>(entry.bytes)};
  return stream_npy(std::move(bytes), member->name(), observe);
}

}  // namespace

std::unique_ptr<DataStream> open_npz(const std::string& path, const ReadOptions& options) {
  const auto [file, wanted] = split_member_path(path);
  const std::string shown = printable_path(file);
  struct stat status {};
  if (file == "-" || (::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
    throw DataError(
        fmt::format("{}: an NPZ file cannot be read from a pipe: its directory is at its end; give the file itself",
                    file == "-" ? "standard input" : shown));
  require_file(file);
  const std::vector<ZipEntry> entries = list_zip(file);
  if (wanted.empty() && is_sparse_npz(entries)) return open_sparse_npz(file, entries, options.observe);

  std::vector<ZipEntry> arrays = entries;
  std::erase_if(arrays, [](const ZipEntry& entry) { return !entry.name.ends_with(extension); });
  if (arrays.empty()) throw DataError(fmt::format("{}: the zip archive holds no arrays (files named *.npy)", shown));
  if (wanted.empty() && arrays.size() > 1)
    throw DataError(fmt::format("{}: the file holds {} arrays: {}; say which: {}:{}", shown, arrays.size(),
                                list_arrays(file, arrays), shown, printable(array_name(arrays.front()))));
  const auto chosen = std::find_if(arrays.begin(), arrays.end(), [&, &name = wanted](const ZipEntry& entry) {
    return name.empty() || array_name(entry) == name || entry.name == name;
  });
  if (chosen == arrays.end())
    throw DataError(fmt::format("{}: there is no array {}; the file holds {}", shown, in_quotes(wanted),
                                list_arrays(file, arrays)));
  return open_array(file, *chosen, options.observe);
}

}  // namespace dualkpca
