// sluice-generate: seeded sample records as NDJSON, the same bytes on every machine.

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "generate/kinds.h"

namespace {

using sluice::generate::Kind;

struct Options {
  std::string kind;
  std::uint64_t records = 0;
  std::uint64_t seed = 1;
  std::string output = "-";
};

std::string describe_kinds() {
  std::string text = "Kinds (rules: docs/sample-data.md):\n";
  for (const Kind& kind : sluice::generate::all_kinds()) {
    text += "  " + std::string(kind.name);
    text.append(kind.name.size() < 10 ? 10 - kind.name.size() : 1, ' ');
    text += std::string(kind.summary) + " [" + std::to_string(kind.records) + "]\n";
  }
  return text + "\nExample: sluice-generate log --records 1000 --seed 7 --output sample.ndjson";
}

/// Says what is wrong with a number of records, or nothing.
std::string is_count(const std::string& text) {
  constexpr std::size_t kMostDigits = 18;  // any such number fits 64 bits
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() <= kMostDigits && text.find_first_not_of('0') != std::string::npos)
    return "";
  return "a number from 1 on, of at most 18 digits, not '" + text + "'";
}

void declare_options(CLI::App& app, Options& options) {
  app.footer(describe_kinds());
  std::vector<std::string> names;
  for (const Kind& kind : sluice::generate::all_kinds()) names.emplace_back(kind.name);
  app.add_option("kind", options.kind, "what the records look like")
      ->required()
      ->check(CLI::IsMember(names));
  app.add_option("-n,--records", options.records, "how many; without it, the kind's own number")
      ->check(is_count)
      ->type_name("N");
  app.add_option("-s,--seed", options.seed, "another seed gives other records of the same form")
      ->capture_default_str();
  app.add_option("-o,--output", options.output, "file to write, - is stdout")
      ->capture_default_str();
}

bool write_records(const Kind& kind, const Options& options, std::FILE* file) {
  constexpr std::size_t kFlushAt = 1 << 20;
  const std::uint64_t records = options.records > 0 ? options.records : kind.records;
  sluice::generate::Random random(options.seed);
  std::string out;
  for (std::uint64_t index = 0; index < records; ++index) {
    kind.append(out, random, index);
    out += '\n';
    if (out.size() < kFlushAt && index + 1 < records) continue;
    if (std::fwrite(out.data(), 1, out.size(), file) != out.size()) return false;
    out.clear();
  }
  return true;
}

// As sluice's own: something could not be written; nothing was started.
constexpr int kNotAllDone = 1;
constexpr int kNotStarted = 2;

int complain(const std::string& path, int exit_code) {
  std::fprintf(stderr, "sluice-generate: %s: %s\n", path.c_str(), std::strerror(errno));
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes seeded sample records as NDJSON.", "sluice-generate");
  Options options;
  declare_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "sluice-generate: %s; see 'sluice-generate --help'\n", error.what());
    return kNotStarted;
  }

  const bool to_stdout = options.output == "-";
  std::FILE* file = to_stdout ? stdout : std::fopen(options.output.c_str(), "wb");
  if (file == nullptr) return complain(options.output, kNotStarted);
  bool done = write_records(*sluice::generate::find_kind(options.kind), options, file);
  if (std::fclose(file) != 0) done = false;
  return done ? 0 : complain(options.output, kNotAllDone);
}
