#include "rows/write_rows.hpp"

#include "process/error_context.hpp"
#include "process/output.hpp"
#include "process/progress.hpp"
#include "process/stop_signal.hpp"

namespace dualkpca::app {

Index write_rows(const RowsOptions& options, const InputRows& input, const LayoutOf& layout_of, const RowMap& map) {
  const bool to_stdout = is_standard_output(options.output);
  Index written = 0;
  ignore_closed_pipe(to_stdout, [&] {
    const StopSignal stop;
    ProgressBar bar(!options.quiet && !to_stdout);
    SampleBlocks blocks(options, input, observe_with(bar, stop));
    TableLayout layout = layout_of(blocks.feature_names());
    layout.rows = blocks.expected();
    layout.with_ids = options.read.id_col.has_value();
    const auto writer = make_table_writer(options.output, layout);
    while (blocks.next()) {
      stop.throw_if_requested();
      with_data_context(blocks.context(),
                        [&] { with_model_name(options, [&] { writer->write(map(blocks.rows()), blocks.ids()); }); });
    }
    writer->commit();
    written = blocks.count();
  });
  return written;
}

}  // namespace dualkpca::app
