#pragma once

#include <concepts>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/declare.h"
#include "app/read_declared.h"
#include "http/answer.h"
#include "typed/write.h"

namespace sluice {

/// Why a handler does not answer with its result: an error of the sender's, with the status 422.
struct Refusal {
  std::string pointer;  ///< JSON Pointer to the value that is wrong, "" for the whole record
  std::string detail;   ///< one sentence
};

struct AppOptions {
  std::string listen = "127.0.0.1:8080";  ///< port 0: any that is free
  std::string token = {};                 ///< a bearer token that is asked for; empty: none
  std::uint64_t budget_bytes = 64 * 1024 * 1024;
  std::size_t max_body_bytes = 1024 * 1024;
};

/// A small service: inputs that structs declare, and functions that answer them.
///
///     struct Sum { double a; double b; };
///     struct Total { double total; };
///
///     int main() {
///       sluice::App app;
///       app.input<Sum>("sum", [](const Sum& sum) { return Total{sum.a + sum.b}; });
///       return app.run();
///     }
///
/// `POST /inputs/sum` takes a record, checks all of it and answers with what the function returns,
/// written as JSON; `/docs` and `/openapi.json` describe it. A function may also return
/// std::expected of a struct and Refusal. It is called on the loop's thread and must not wait;
/// views in its argument are valid until it returns.
class App {
 public:
  explicit App(AppOptions options = {});
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Declares `POST /inputs/NAME`. What cannot be declared (a name that is none, or twice, bounds
  /// that exclude everything) is told by `run`.
  template <json::Struct T, class Function>
    requires std::invocable<Function&, const T&>
  void input(std::string name, Function function) {
    add(std::move(name), declarations_from<T>(),
        [function = std::move(function), reader = std::make_shared<DeclaredReader>()](
            const ShapedRecord& record, http::Answer& answer) mutable {
          answer_with(function(reader->template read<T>(record)), answer);
        });
  }

  /// Serves until SIGINT or SIGTERM comes, then answers what is under way. Returns the exit code;
  /// what is wrong is told on standard error.
  int run();

 private:
  using Handler = std::function<void(const ShapedRecord& record, http::Answer& answer)>;
  struct State;

  void add(std::string name, std::vector<FieldDeclaration> fields, Handler handler);
  static void refuse(const Refusal& refusal, http::Answer& answer);
  static void fail_to_write(const Error& error, http::Answer& answer);

  template <class Result>
  static void answer_with(const Result& result, http::Answer& answer) {
    if constexpr (requires { result.error(); }) {
      if (!result) return refuse(result.error(), answer);
      answer_with(*result, answer);
    } else {
      auto text = json::write(result);
      if (!text) return fail_to_write(text.error(), answer);
      answer.media_type = "application/json";
      answer.text = std::move(*text);
    }
  }

  std::unique_ptr<State> state_;
};

}  // namespace sluice
