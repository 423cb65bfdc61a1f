#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sluice::json {

/// For tests: small texts by hand, and the good ones of tests/data.
inline std::vector<std::string> good_texts() {
  std::vector<std::string> texts = {
      "{}",
      "[]",
      "1",
      "\"\"",
      " null ",
      "[[]]",
      "[[],[]]",
      "[{}]",
      "{\"\":{}}",
      R"({"a":[7,8],"b":[[]]})",
      R"([[[],[[1]],2],{"k":{"l":[]},"m":0}])",
      "[ \"a\" , \"b\"\t,\r\n3 , true ]",
      R"({"\"":"\\","\\\"":[false , null]} )",
      R"({"a":1,"\u0061":2,"b":{"a":3},"a":4,"\u00e9":"\ud83d\ude00"})",
  };
  const std::filesystem::path data = std::filesystem::path(SLUICE_SOURCE_DIR) / "tests/data";
  for (const char* folder : {"jsontestsuite", "roundtrip", "jsonchecker"}) {
    for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
      const std::string name = entry.path().filename();
      const bool good =
          name.starts_with("y_") || name.starts_with("pass") || name.starts_with("round");
      if (!good) continue;
      std::ifstream file(entry.path());
      texts.push_back((std::stringstream() << file.rdbuf()).str());
    }
  }
  return texts;
}

}  // namespace sluice::json
