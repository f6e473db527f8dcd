#pragma once

namespace dualkpca::app {

/// Exit codes of the command.
enum ExitCode : int {
  done = 0,
  alarm = 1,  ///< score --alarm: a row is above a limit
  wrong_usage = 2,
  bad_data = 3,       ///< also for a file that cannot be read or written
  not_converged = 4,  ///< stopped before the tolerance; the model is written
  no_resources = 5,   ///< memory budget or disk
  our_bug = 70,       ///< EX_SOFTWARE of sysexits.h
  interrupted = 130,  ///< stopped by SIGINT before there was anything to write; 143 after SIGTERM
};

}  // namespace dualkpca::app
