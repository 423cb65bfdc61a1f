# Node's HTTP parser, from the C sources that Debian's node-llhttp brings. Strict mode refuses a
# dozen kinds of bad framing that the default lets pass.

find_path(LLHTTP_INCLUDE llhttp.h PATHS /usr/share/include/llhttp NO_DEFAULT_PATH REQUIRED)
find_path(LLHTTP_SOURCE llhttp.c PATHS /usr/share/llhttp NO_DEFAULT_PATH REQUIRED)

add_library(llhttp STATIC ${LLHTTP_SOURCE}/api.c ${LLHTTP_SOURCE}/http.c ${LLHTTP_SOURCE}/llhttp.c)
target_include_directories(llhttp SYSTEM PUBLIC ${LLHTTP_INCLUDE})
target_compile_definitions(llhttp PUBLIC LLHTTP_STRICT_MODE=1)
