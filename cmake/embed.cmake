# sluice_embed(TARGET FILE NAME): makes the file's bytes a `std::string_view sluice::NAME` of the
# target, declared where it is used.
function(sluice_embed target file name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D FILE=${file} -D NAME=${name} -D SOURCE=${source}
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
