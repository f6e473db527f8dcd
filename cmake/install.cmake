include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dualkpca)
install(TARGETS dualkpca EXPORT dualkpcaTargets FILE_SET HEADERS)
install(EXPORT dualkpcaTargets NAMESPACE dualkpca:: DESTINATION ${config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/dualkpcaConfig.cmake.in ${PROJECT_BINARY_DIR}/dualkpcaConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dualkpcaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dualkpcaConfig.cmake ${PROJECT_BINARY_DIR}/dualkpcaConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/hdf5.cmake DESTINATION ${config_dir})
