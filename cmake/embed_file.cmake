# Writes SOURCE with the bytes of FILE as NAME (embed.cmake).
file(READ ${FILE} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${SOURCE} "#include <string_view>

namespace sluice {
namespace {
constexpr unsigned char kBytes[] = {
${bytes}};
}
extern const std::string_view ${NAME};
const std::string_view ${NAME}(reinterpret_cast<const char*>(kBytes), ${size});
}  // namespace sluice
")
