#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "typed/members.h"

/// The structs into which typed readers put all of twitter.json, citm_catalog.json and canada.json,
/// whichever library does it. Members stand in the order of the texts.
namespace bench::twitter {

using Id = std::uint64_t;
using MaybeText = std::optional<std::string>;

struct Metadata {
  std::string result_type;
  std::string iso_language_code;
};
struct Hashtag {
  std::string text;
  std::vector<std::uint32_t> indices;
};
struct Url {
  std::string url;
  std::string expanded_url;
  std::string display_url;
  std::vector<std::uint32_t> indices;
};
struct Mention {
  std::string screen_name;
  std::string name;
  Id id;
  std::string id_str;
  std::vector<std::uint32_t> indices;
};
struct Size {
  std::uint32_t w;
  std::uint32_t h;
  std::string resize;
};
struct Sizes {
  Size medium;
  Size small;
  Size thumb;
  Size large;
};
struct Media {
  Id id;
  std::string id_str;
  std::vector<std::uint32_t> indices;
  std::string media_url;
  std::string media_url_https;
  std::string url;
  std::string display_url;
  std::string expanded_url;
  std::string type;
  Sizes sizes;
  std::optional<Id> source_status_id;
  MaybeText source_status_id_str;
};
struct Entities {
  std::vector<Hashtag> hashtags;
  std::vector<std::string> symbols;
  std::vector<Url> urls;
  std::vector<Mention> user_mentions;
  std::optional<std::vector<Media>> media;
};
struct UrlList {
  std::vector<Url> urls;
};
struct UserEntities {
  std::optional<UrlList> url;
  UrlList description;
};
struct User {
  Id id;
  std::string id_str;
  std::string name;
  std::string screen_name;
  std::string location;
  std::string description;
  MaybeText url;
  UserEntities entities;
  bool protected_;
  std::uint32_t followers_count;
  std::uint32_t friends_count;
  std::uint32_t listed_count;
  std::string created_at;
  std::uint32_t favourites_count;
  std::optional<std::int32_t> utc_offset;
  MaybeText time_zone;
  bool geo_enabled;
  bool verified;
  std::uint32_t statuses_count;
  std::string lang;
  bool contributors_enabled;
  bool is_translator;
  bool is_translation_enabled;
  std::string profile_background_color;
  std::string profile_background_image_url;
  std::string profile_background_image_url_https;
  bool profile_background_tile;
  std::string profile_image_url;
  std::string profile_image_url_https;
  MaybeText profile_banner_url;
  std::string profile_link_color;
  std::string profile_sidebar_border_color;
  std::string profile_sidebar_fill_color;
  std::string profile_text_color;
  bool profile_use_background_image;
  bool default_profile;
  bool default_profile_image;
  bool following;
  bool follow_request_sent;
  bool notifications;

  static constexpr sluice::json::Rename json_names[] = {{"protected_", "protected"}};
};
struct Status {
  Metadata metadata;
  std::string created_at;
  Id id;
  std::string id_str;
  std::string text;
  std::string source;
  bool truncated;
  std::optional<Id> in_reply_to_status_id;
  MaybeText in_reply_to_status_id_str;
  std::optional<Id> in_reply_to_user_id;
  MaybeText in_reply_to_user_id_str;
  MaybeText in_reply_to_screen_name;
  User user;
  MaybeText geo;
  MaybeText coordinates;
  MaybeText place;
  MaybeText contributors;
  std::unique_ptr<Status> retweeted_status;
  std::uint32_t retweet_count;
  std::uint32_t favorite_count;
  Entities entities;
  bool favorited;
  bool retweeted;
  std::optional<bool> possibly_sensitive;
  std::string lang;
};
struct SearchMetadata {
  double completed_in;
  Id max_id;
  std::string max_id_str;
  std::string next_results;
  std::string query;
  std::string refresh_url;
  std::uint32_t count;
  Id since_id;
  std::string since_id_str;
};
struct Timeline {
  std::vector<Status> statuses;
  SearchMetadata search_metadata;
};

/// A few of its fields.
struct BriefUser {
  std::string screen_name;
  std::uint64_t followers_count;
};
struct BriefStatus {
  std::uint64_t id;
  std::string text;
  BriefUser user;
  std::uint64_t retweet_count;
};
struct BriefTimeline {
  std::vector<BriefStatus> statuses;
};

}  // namespace bench::twitter

namespace bench::citm {

using Id = std::uint64_t;
using MaybeText = std::optional<std::string>;
using Names = std::map<std::string, std::string>;

struct Event {
  MaybeText description;
  Id id;
  MaybeText logo;
  std::string name;
  std::vector<Id> subTopicIds;
  MaybeText subjectCode;
  MaybeText subtitle;
  std::vector<Id> topicIds;
};
struct Price {
  std::uint32_t amount;
  Id audienceSubCategoryId;
  Id seatCategoryId;
};
struct Area {
  Id areaId;
  std::vector<Id> blockIds;
};
struct SeatCategory {
  std::vector<Area> areas;
  Id seatCategoryId;
};
struct Performance {
  Id eventId;
  Id id;
  MaybeText logo;
  MaybeText name;
  std::vector<Price> prices;
  std::vector<SeatCategory> seatCategories;
  MaybeText seatMapImage;
  std::uint64_t start;
  std::string venueCode;
};
struct Catalog {
  Names areaNames;
  Names audienceSubCategoryNames;
  Names blockNames;
  std::map<std::string, Event> events;
  std::vector<Performance> performances;
  Names seatCategoryNames;
  Names subTopicNames;
  Names subjectNames;
  Names topicNames;
  std::map<std::string, std::vector<Id>> topicSubTopics;
  Names venueNames;
};

}  // namespace bench::citm

namespace bench::canada {

using Point = std::array<double, 2>;

struct Geometry {
  std::string type;
  std::vector<std::vector<Point>> coordinates;
};
struct Feature {
  std::string type;
  std::map<std::string, std::string> properties;
  Geometry geometry;
};
struct Collection {
  std::string type;
  std::vector<Feature> features;
};

}  // namespace bench::canada
