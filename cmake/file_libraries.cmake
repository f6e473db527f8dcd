# HDF5 and minizip by hand: FindHDF5 wants a C compiler, and minizip has no CMake files.
function(dualkpca_import_library target header)
  cmake_parse_arguments(ARG "" "" "NAMES;SUFFIXES" ${ARGN})
  if(TARGET ${target})
    return()
  endif()
  string(MAKE_C_IDENTIFIER ${target} variable)
  find_path(${variable}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARG_SUFFIXES} REQUIRED)
  find_library(${variable}_LIBRARY NAMES ${ARG_NAMES} PATH_SUFFIXES ${ARG_SUFFIXES} REQUIRED)
  mark_as_advanced(${variable}_INCLUDE_DIR ${variable}_LIBRARY)
  add_library(${target} UNKNOWN IMPORTED)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${variable}_LIBRARY}
                                             INTERFACE_INCLUDE_DIRECTORIES ${${variable}_INCLUDE_DIR})
endfunction()

dualkpca_import_library(dualkpca_deps::hdf5 hdf5.h NAMES hdf5_serial hdf5 SUFFIXES hdf5/serial)
dualkpca_import_library(dualkpca_deps::minizip unzip.h NAMES minizip SUFFIXES minizip)
