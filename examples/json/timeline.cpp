// Prints who said what: timeline FILE
#include <sluice/json.h>

#include <fstream>
#include <iostream>
#include <iterator>

struct User { std::string screen_name; std::uint64_t followers_count; };
struct Status { std::uint64_t id; std::string text; User user; };
struct Timeline { std::vector<Status> statuses; };

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto timeline = sluice::json::read<Timeline>(text);
  if (!timeline) {
    std::cerr << sluice::json::explain<Timeline>(timeline.error(), text, arguments[1]) << '\n';
    return 1;
  }
  for (const Status& status : timeline->statuses) {
    std::cout << status.user.screen_name << ": " << status.text << '\n';
  }
}
