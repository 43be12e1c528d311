# Installs the program, both libraries, headers, and the files by which other projects find them
# (pkg-config; find_package(banyan)).

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/banyan)

if(BANYAN_APP)
  install(TARGETS banyan)
endif()
install(TARGETS banyan_static banyan_shared EXPORT banyan)
install(DIRECTORY include/banyan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES docs/banyan.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES docs/libbanyan.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "licenses/*.txt" PATTERN "*.png")
if(BANYAN_APP)
  install(DIRECTORY weights DESTINATION ${CMAKE_INSTALL_DATADIR}/banyan FILES_MATCHING PATTERN "*.safetensors")
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set_target_properties(banyan_static PROPERTIES EXPORT_NAME static)
set_target_properties(banyan_shared PROPERTIES EXPORT_NAME shared)
install(EXPORT banyan FILE banyan-targets.cmake NAMESPACE banyan:: DESTINATION ${package_dir})
configure_package_config_file(cmake/banyan-config.cmake.in ${CMAKE_BINARY_DIR}/banyan-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/banyan-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/banyan-config.cmake ${CMAKE_BINARY_DIR}/banyan-config-version.cmake
  DESTINATION ${package_dir})

# The prefix is found from the file's own place, so that the installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/banyan.pc.in ${CMAKE_BINARY_DIR}/banyan.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/banyan.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
