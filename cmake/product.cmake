# What others use of the project: the library sluice::json with its headers, for add_subdirectory,
# find_package(sluice) and pkg-config, and sluice::app for services over HTTP. One archive each holds
# the layers it is made of.

set(product_layers base kernel number json document writer typed edit)

set(exported ${PROJECT_BINARY_DIR}/include)
file(GLOB product_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.h
  ${PROJECT_SOURCE_DIR}/src/*/*.def)
add_custom_command(OUTPUT ${exported}/headers.stamp
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}/src -D TARGET=${exported}/sluice
    -P ${PROJECT_SOURCE_DIR}/cmake/export_headers.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${exported}/headers.stamp
  DEPENDS ${product_headers} ${PROJECT_SOURCE_DIR}/src/json.h
    ${PROJECT_SOURCE_DIR}/src/app.h ${PROJECT_SOURCE_DIR}/cmake/export_headers.cmake
  COMMENT "Exporting headers" VERBATIM)
add_custom_target(sluice_headers DEPENDS ${exported}/headers.stamp)

set(objects "")
foreach(layer IN LISTS product_layers)
  list(APPEND objects $<TARGET_OBJECTS:sluice_${layer}>)
  # An archive must be good for shared libraries of others, too.
  set_target_properties(sluice_${layer} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endforeach()
add_library(sluice_product STATIC ${objects})
add_library(sluice::json ALIAS sluice_product)
add_dependencies(sluice_product sluice_headers)
set_target_properties(sluice_product PROPERTIES
  LINKER_LANGUAGE CXX
  EXPORT_NAME json
  OUTPUT_NAME sluice
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_features(sluice_product INTERFACE cxx_std_23)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
target_include_directories(sluice_product SYSTEM INTERFACE
  $<BUILD_INTERFACE:${exported}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# Its libraries are named as a linker knows them, so that whoever wants only JSON needs none of them.
if(SLUICE_PROGRAM)
  set(objects $<TARGET_OBJECTS:llhttp>)
  set_target_properties(llhttp PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(layer memory record flow http app)
    list(APPEND objects $<TARGET_OBJECTS:sluice_${layer}>)
    set_target_properties(sluice_${layer} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
  add_library(sluice_app_product STATIC ${objects})
  add_library(sluice::app ALIAS sluice_app_product)
  set_target_properties(sluice_app_product PROPERTIES
    LINKER_LANGUAGE CXX
    EXPORT_NAME app
    OUTPUT_NAME sluice_app
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(sluice_app_product INTERFACE sluice_product ssl crypto z zstd)
  install(TARGETS sluice_app_product EXPORT sluice-targets)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
install(TARGETS sluice_product EXPORT sluice-targets)
install(DIRECTORY ${exported}/sluice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sluice-targets FILE sluice-config.cmake NAMESPACE sluice:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sluice-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sluice-config-version.cmake DESTINATION ${package_dir})

# From the folder of the .pc file to the prefix.
cmake_path(SET up_to_prefix ".")
cmake_path(RELATIVE_PATH up_to_prefix BASE_DIRECTORY ./${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_file(${PROJECT_SOURCE_DIR}/cmake/sluice.pc.in ${PROJECT_BINARY_DIR}/sluice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sluice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
