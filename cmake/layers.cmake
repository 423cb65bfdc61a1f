# One library a layer: a layer sees its own folder's sources and, through the link interface only,
# the layers it may use. An include of any other layer compiles (all share src/ as include root)
# but does not link, and tests/layers_test.py refuses it by name.

add_library(sluice_options INTERFACE)
target_include_directories(sluice_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(sluice_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion -Werror=return-type -fno-omit-frame-pointer)

# sluice_layer(NAME USES a b ...): library sluice_NAME from NAME/*.cpp; NAME/*_test.cpp become its
# test program.
function(sluice_layer name)
  cmake_parse_arguments(LAYER "" "" "USES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  add_library(sluice_${name} STATIC ${sources})
  target_link_libraries(sluice_${name} PUBLIC sluice_options)
  foreach(used IN LISTS LAYER_USES)
    target_link_libraries(sluice_${name} PUBLIC sluice_${used})
  endforeach()
  if(SLUICE_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE sluice_${name} GTest::gtest_main)
    target_compile_definitions(${name}_test PRIVATE
      SLUICE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
