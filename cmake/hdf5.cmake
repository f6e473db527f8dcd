# Finds HDF5 without FindHDF5, which needs a C compiler.
if(NOT TARGET dualkpca_deps::hdf5)
  find_path(DUALKPCA_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
  find_library(DUALKPCA_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
  mark_as_advanced(DUALKPCA_HDF5_INCLUDE_DIR DUALKPCA_HDF5_LIBRARY)
  add_library(dualkpca_deps::hdf5 UNKNOWN IMPORTED)
  set_target_properties(dualkpca_deps::hdf5 PROPERTIES IMPORTED_LOCATION ${DUALKPCA_HDF5_LIBRARY}
                                                       INTERFACE_INCLUDE_DIRECTORIES ${DUALKPCA_HDF5_INCLUDE_DIR})
endif()
