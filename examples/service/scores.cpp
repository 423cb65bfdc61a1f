// A service that keeps the best score of each player:
//
//   curl -d '{"player":"ada","points":3}' -H 'Content-Type: application/json'
//   localhost:8080/inputs/score
#include <sluice/app.h>

#include <map>
#include <string>

struct Score {
  std::string_view player;
  std::int64_t points;
  std::optional<std::string_view> note;

  static constexpr sluice::Limit sluice_limits[] = {{.member = "player", .max_bytes = 64},
                                                    {.member = "points", .min = "0"}};
};

struct Best {
  std::string_view player;
  std::int64_t best;
  bool is_new;
};

int main(int argument_count, char** arguments) {
  std::map<std::string, std::int64_t, std::less<>> best;
  sluice::App app({.listen = argument_count > 1 ? arguments[1] : "127.0.0.1:8080"});
  app.input<Score>("score", [&](const Score& score) -> std::expected<Best, sluice::Refusal> {
    if (score.player.empty())
      return std::unexpected(sluice::Refusal{"/player", "a player has a name"});
    const auto known = best.find(score.player);
    const bool is_new = known == best.end() || score.points > known->second;
    if (is_new) best.insert_or_assign(std::string(score.player), score.points);
    return Best{score.player, is_new ? score.points : known->second, is_new};
  });
  return app.run();
}
