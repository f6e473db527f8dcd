#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "data/file_format.hpp"
#include "data/io/text.hpp"
#include "data/io/text_output.hpp"
#include "data/table_writers.hpp"
#include "dualkpca/core/errors.hpp"
#include "dualkpca/data/member_path.hpp"

namespace dualkpca {
namespace {

TableLayout complete_layout(const std::string& path, TableLayout layout) {
  if (layout.cols == 0) layout.cols = static_cast<Index>(layout.columns.size());
  if (layout.cols <= 0)
    throw InvalidArgument(fmt::format("{}: a table needs at least one column", printable_path(path)));
  if (!layout.columns.empty() && static_cast<Index>(layout.columns.size()) != layout.cols)
    throw InvalidArgument(fmt::format("{}: a table of {} columns cannot have {} names", printable_path(path),
                                      layout.cols, layout.columns.size()));
  return layout;
}

std::unique_ptr<TableWriter> make_writer(FileFormat format, const std::string& path, const TableLayout& layout) {
  switch (format) {
    case FileFormat::csv: return make_csv_writer(path, ',', layout);
    case FileFormat::tsv: return make_csv_writer(path, '\t', layout);
    case FileFormat::libsvm: return make_libsvm_writer(path, layout);
    case FileFormat::mtx: return make_mtx_writer(path, layout);
    case FileFormat::npy: return make_npy_writer(path, layout);
    case FileFormat::npz: return make_npz_writer(path, layout);
    case FileFormat::h5: return make_hdf5_writer(path, layout);
  }
  throw InvalidArgument("no such format");
}

}  // namespace

void TableWriter::write(const SamplesView& block, const std::vector<std::string>& ids,
                        const std::vector<std::string>& labels) {
  if (block.cols() != cols())
    throw InvalidArgument(
        fmt::format("a block of {} columns cannot be written to a table of {}", block.cols(), cols()));
  const auto require_texts = [&](bool wanted, const std::vector<std::string>& texts, std::string_view what) {
    if (wanted && static_cast<Index>(texts.size()) != block.rows())
      throw InvalidArgument(
          fmt::format("a block of {} rows cannot be written with {} {}", block.rows(), texts.size(), what));
  };
  require_texts(layout_.with_ids, ids, "ids");
  require_texts(layout_.with_labels, labels, "labels");
  if (block.rows() == 0) return;
  write_block(block, ids, labels);
  written_ += block.rows();
}

void TableWriter::commit() {
  if (layout_.rows >= 0 && layout_.rows != written_)
    throw InvalidArgument(
        fmt::format("the layout gives {} rows, and {} were written; they must agree", layout_.rows, written_));
  finish();
}

FileFormat table_format(const std::string& path, const TableLayout& layout) {
  if (layout.format) return *layout.format;
  if (path == "-") return FileFormat::csv;
  if (const auto format = format_of(strip_compression(split_member_path(path).file))) return *format;
  if (path.starts_with("/dev/")) return FileFormat::csv;
  throw InvalidArgument(
      fmt::format("{}: the extension names no known format; accepted: {}", printable_path(path), accepted_extensions));
}

bool needs_totals(const std::string& path, const TableLayout& layout) {
  const FileFormat format = table_format(path, layout);
  if (format == FileFormat::npy || (format == FileFormat::npz && !layout.sparse))
    return OutputFile::is_written_directly(format == FileFormat::npz ? split_member_path(path).file : path);
  return format == FileFormat::mtx && layout.sparse &&
         (OutputFile::is_written_directly(path) || compression_of(path) != Compression::none);
}

namespace {

// Throws unless the format can hold the table under this path.
void require_possible(const std::string& path, FileFormat format, const TableLayout& layout) {
  const bool known = layout.rows >= 0 && (layout.nonzeros >= 0 || format != FileFormat::mtx);
  if (!known && needs_totals(path, layout))
    throw InvalidArgument(fmt::format("{}: the number of {} must be known before {} is written to a pipe or compressed",
                                      printable_path(path), format == FileFormat::mtx ? "rows and entries" : "rows",
                                      to_string(format)));
  const MemberPath parts = split_member_path(path);
  const bool has_members = format == FileFormat::npz || format == FileFormat::h5;
  std::error_code missing;
  if (has_members && !parts.member.empty() && std::filesystem::exists(parts.file, missing))
    throw InvalidArgument(fmt::format(
        "{}: {} exists, and nothing can be added to it; give the name of a new file, or {} alone to replace "
        "the file",
        printable_path(path), printable_path(parts.file), printable_path(parts.file)));
  if (format == FileFormat::npz && layout.sparse && !parts.member.empty())
    throw InvalidArgument(
        fmt::format("{}: sparse rows are several arrays of an npz file, as scipy writes them; give {}",
                    printable_path(path), printable_path(parts.file)));
  constexpr Index widest = 10'000'000;  // 80 MB a row
  if (layout.sparse && layout.cols > widest &&
      (format == FileFormat::csv || format == FileFormat::tsv || format == FileFormat::npy))
    throw DataError(fmt::format(
        "{}: sparse rows of {} columns are too wide to be written dense, as {}; accepted: libsvm, mtx, npz, h5",
        printable_path(path), layout.cols, to_string(format)));
  if (!is_text(format) && compression_of(path) != Compression::none)
    throw InvalidArgument(
        fmt::format("{}: {} is not compressed as a whole; .gz and .bz2 are for csv, tsv, libsvm and mtx",
                    printable_path(path), to_string(format)));
}

}  // namespace

std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const TableLayout& layout) {
  const TableLayout complete = complete_layout(path, layout);
  const FileFormat format = table_format(path, complete);
  require_possible(path, format, complete);
  return make_writer(format, path, complete);
}

std::unique_ptr<TableWriter> make_table_writer(const std::string& path, const std::vector<std::string>& columns,
                                               Index rows, bool with_ids, Precision precision) {
  TableLayout layout;
  layout.columns = columns;
  layout.rows = rows;
  layout.with_ids = with_ids;
  layout.precision = precision;
  return make_table_writer(path, layout);
}

}  // namespace dualkpca
