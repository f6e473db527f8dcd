# Compiles through ccache where it works. Without a writable home there is no cache, and ccache then fails every compilation
# instead of compiling without a cache.
find_program(DUALKPCA_CCACHE ccache)
if(PROJECT_IS_TOP_LEVEL AND DUALKPCA_CCACHE)
  set(probe ${PROJECT_BINARY_DIR}/CMakeFiles/ccache_probe.cpp)
  file(WRITE ${probe} "int probe;\n")
  execute_process(COMMAND ${DUALKPCA_CCACHE} ${CMAKE_CXX_COMPILER} -c ${probe} -o ${probe}.o
                  RESULT_VARIABLE probe_failed OUTPUT_QUIET ERROR_QUIET)
  if(probe_failed)
    message(STATUS "ccache cannot use its cache folder: compiling without it")
  else()
    set(CMAKE_CXX_COMPILER_LAUNCHER ${DUALKPCA_CCACHE})
  endif()
endif()
