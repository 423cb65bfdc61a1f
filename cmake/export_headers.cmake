# Copies the headers that json.h and app.h lead to, with includes that are good outside of the project:
# "document/index.h" becomes "sluice/document/index.h".
#
#   cmake -D SOURCE=.../src -D TARGET=.../include/sluice -P export_headers.cmake

cmake_minimum_required(VERSION 3.25)

set(waiting json.h app.h)
set(done "")
while(waiting)
  list(POP_FRONT waiting header)
  list(APPEND done ${header})
  file(READ ${SOURCE}/${header} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"([^\"]+)\"" "\\1" included ${include})
    if(NOT included IN_LIST done AND NOT included IN_LIST waiting)
      list(APPEND waiting ${included})
    endif()
  endforeach()
  string(REPLACE "#include \"" "#include \"sluice/" text "${text}")
  set(before "")
  if(EXISTS ${TARGET}/${header})
    file(READ ${TARGET}/${header} before)
  endif()
  if(NOT before STREQUAL text)  # what did not change is not compiled again
    file(WRITE ${TARGET}/${header} "${text}")
  endif()
endwhile()
