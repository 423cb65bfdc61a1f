#include <signal.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <expected>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/sizes.h"
#include "cli/commands.h"
#include "cli/load_report.h"
#include "cli/messages.h"
#include "cli/side_file.h"
#include "cli/to_option.h"
#include "load/run.h"

namespace sluice {
namespace {

constexpr std::size_t kMostConnections = 100'000;
constexpr std::size_t kMostThreads = 64;
constexpr std::size_t kMostPipelined = 1'024;
constexpr std::uint64_t kMostBody = std::uint64_t{1} << 30;

constexpr const char* kFooter =
    "Without --rate each connection sends its next request when an answer is there (closed loop).\n"
    "With it, requests leave on a fixed schedule whatever the answers do, and latency counts from\n"
    "when a request was meant to leave (open loop): a stall of the server shows in full.\n"
    "\n"
    "Examples:\n"
    "  sluice load http://127.0.0.1:8080/inputs/echo --method POST --body-bytes 4KiB\n"
    "  sluice load http://127.0.0.1:8080/livez --rate 5000 --duration 30s --connections 64\n"
    "  sluice load http://127.0.0.1:8080/inputs/score --body '{\"player\":\"ada\",\"points\":3}' "
    "\\\n"
    "              --pipeline 16 --report load.json\n";

/// The words as the user gave them.
struct LoadWords {
  std::string url;
  std::string method;
  std::vector<std::string> headers;
  std::string body;
  std::string body_bytes;
  std::string duration = "10s";
  std::string timeout = "10s";
  std::string report;
  double rate = 0;
  std::size_t connections = 10;
  std::size_t threads = 1;
  std::size_t pipeline = 1;
  std::uint64_t requests = 0;
  bool no_keep_alive = false;
  bool insecure = false;
};

std::unexpected<UsageError> wrong(const std::string& message) {
  return std::unexpected(UsageError{message});
}

std::expected<std::string, UsageError> body_of(const LoadWords& words) {
  if (!words.body.empty() && !words.body_bytes.empty()) {
    return wrong("--body and --body-bytes exclude each other");
  }
  if (!words.body_bytes.empty()) {
    const auto size = parse_size(words.body_bytes);
    if (!size || *size > kMostBody)
      return wrong("--body-bytes " + words.body_bytes + " is no size up to 1GiB");
    return load::json_body(*size);
  }
  if (!words.body.starts_with('@')) return words.body;
  std::ifstream file(words.body.substr(1), std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return wrong("--body " + words.body + ": the file cannot be read; check its path");
  return text;
}

std::expected<void, UsageError> read_durations(const LoadWords& words, load::Options& options) {
  const auto duration = parse_duration_ns(words.duration);
  const auto timeout = parse_duration_ns(words.timeout);
  if (!duration || *duration == 0)
    return wrong("--duration " + words.duration + ": give it as 10s or 500ms");
  if (!timeout || *timeout == 0)
    return wrong("--timeout " + words.timeout + ": give it as 10s or 500ms");
  options.duration_ns = *duration;
  options.timeout_ns = *timeout;
  return {};
}

std::expected<void, UsageError> read_counts(const LoadWords& words, load::Options& options) {
  const auto within = [](std::size_t count, std::size_t most) {
    return count >= 1 && count <= most;
  };
  if (!within(words.connections, kMostConnections)) return wrong("--connections: 1 to 100,000");
  if (!within(words.threads, kMostThreads)) return wrong("--threads: 1 to 64");
  if (words.threads > words.connections) return wrong("--threads: at most one a connection");
  if (!within(words.pipeline, kMostPipelined)) return wrong("--pipeline: 1 to 1,024");
  if (!(words.rate >= 0) || words.rate > 1e8)
    return wrong("--rate: requests a second, up to 100 million");
  if (words.no_keep_alive && words.pipeline > 1) {
    return wrong("--no-keep-alive allows one request a connection: leave --pipeline out");
  }
  options.connections = words.connections;
  options.threads = words.threads;
  options.pipeline = words.pipeline;
  options.rate = words.rate;
  options.requests = words.requests;
  options.keep_alive = !words.no_keep_alive;
  return {};
}

std::expected<void, UsageError> check_headers(const LoadWords& words) {
  for (const std::string& header : words.headers) {
    const std::size_t colon = header.find(':');
    if (colon == 0 || colon == header.npos || header.find_first_of("\r\n") != header.npos) {
      return wrong("--header '" + header + "': give it as 'Name: value'");
    }
  }
  if (words.method.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != words.method.npos) {
    return wrong("--method " + words.method + ": give it in capitals, as POST");
  }
  return {};
}

std::expected<load::Options, UsageError> read_words(LoadWords& words, std::size_t& body_bytes) {
  load::Options options;
  const auto target = load::read_url(words.url);
  if (!target) return wrong("'" + words.url + "': give it as http://HOST:PORT/PATH or https://...");
  const auto body = body_of(words);
  if (!body) return std::unexpected(body.error());
  if (words.method.empty()) words.method = body->empty() ? "GET" : "POST";
  if (auto read = check_headers(words); !read) return std::unexpected(read.error());
  if (auto read = read_durations(words, options); !read) return std::unexpected(read.error());
  if (auto read = read_counts(words, options); !read) return std::unexpected(read.error());
  auto address = load::resolve(*target);
  if (!address) return wrong("'" + target->host + "' is no host that can be found: check its name");
  options.address = std::move(*address);
  if (target->tls) options.tls = std::make_shared<load::TlsClient>(target->host, words.insecure);
  if (options.tls && !options.tls->is_usable()) return wrong("OpenSSL cannot be set up");
  options.head_only = words.method == "HEAD";
  options.request = load::request_text(*target, {.method = words.method,
                                                 .headers = words.headers,
                                                 .body = *body,
                                                 .keep_alive = options.keep_alive});
  body_bytes = body->size();
  return options;
}

std::atomic<bool> stopped = false;

void stop_on_signals() {
  struct sigaction action{};
  action.sa_handler = [](int) { stopped = true; };
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

int run(LoadWords& words) {
  std::size_t body_bytes = 0;
  const auto options = read_words(words, body_bytes);
  if (!options) {
    print_message(options.error().message + "; see 'sluice load --help'");
    return kNotStarted;
  }
  SideFile report;
  if (!words.report.empty()) {
    if (const auto opened = report.open(words.report); !opened) {
      print_message("--report " + words.report + ": " + describe_error(opened.error()));
      return kNotStarted;
    }
  }
  stop_on_signals();
  const Result<load::Stats> stats = load::run(*options, stopped);
  if (!stats) {
    print_message(describe_error(stats.error()));
    return kNotStarted;
  }
  const LoadRun about{
      .url = words.url, .method = words.method, .body_bytes = body_bytes, .options = *options};
  print_load_summary(about, *stats);
  bool complete = stats->failed() == 0 && stats->answered == stats->by_status_class[2];
  if (report.is_open()) {
    const std::string text = load_report_json(about, *stats);
    const auto bytes = std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    for (const auto& done : {report.start(), report.write(bytes), report.close()}) {
      if (done) continue;
      print_message("--report " + words.report + ": " + describe_error(done.error()));
      complete = false;
    }
  }
  return complete ? kAllDone : kNotAllDone;
}

}  // namespace

void add_load_command(CLI::App& app, int& exit_code) {
  CLI::App* const load = app.add_subcommand("load", "put load on an HTTP server and measure it");
  auto words = std::make_shared<LoadWords>();
  load->add_option("URL", words->url, "http://HOST:PORT/PATH or https://...")->required();
  load->add_option("--method", words->method, "GET, or POST when there is a body");
  load->add_option("--header", words->headers, "'Name: value'; may be given again")
      ->allow_extra_args(false);
  load->add_option("--body", words->body, "the body, or @FILE");
  load->add_option("--body-bytes", words->body_bytes, "a JSON body of that size, as 64 or 4KiB")
      ->type_name("SIZE");
  load->add_option("--connections", words->connections, "connections in all")
      ->capture_default_str();
  load->add_option("--threads", words->threads, "threads that share them")->capture_default_str();
  load->add_option("--pipeline", words->pipeline, "requests in flight on a connection")
      ->capture_default_str();
  load->add_flag("--no-keep-alive", words->no_keep_alive, "a connection for each request");
  load->add_option("--rate", words->rate, "requests a second in all, on a fixed schedule")
      ->type_name("N");
  load->add_option("--duration", words->duration, "how long to send")->capture_default_str();
  load->add_option("--requests", words->requests, "end after so many")->type_name("N");
  load->add_option("--timeout", words->timeout, "an answer later than that is a failure")
      ->capture_default_str();
  load->add_flag("--insecure", words->insecure, "https: take any certificate");
  load->add_option("--report", words->report, "write the figures as JSON")->type_name("FILE");
  load->footer(kFooter);
  load->callback([words, &exit_code] { exit_code = run(*words); });
}

}  // namespace sluice
