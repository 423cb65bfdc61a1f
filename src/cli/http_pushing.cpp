#include "cli/http_pushing.h"

#include <utility>

#include "cli/messages.h"
#include "json/scan.h"

namespace sluice {
namespace {

/// After the last record has gone: for answers that waited for it, to reach their clients.
constexpr std::uint64_t kLastWordsNs = 2'000'000'000;

std::unexpected<UsageError> wrong(const std::string& message) {
  return std::unexpected(UsageError{message});
}

Ack ack_of(InputAck ack) { return ack == InputAck::sinks ? Ack::sinks : Ack::memory; }

}  // namespace

std::vector<FieldDeclaration> declarations_of(const std::vector<FieldConfig>& fields) {
  std::vector<FieldDeclaration> declarations;
  for (const FieldConfig& field : fields) {
    declarations.push_back({.name = field.name,
                            .is_group = field.is_group,
                            .members = declarations_of(field.members),
                            .type = field_type_named(field.type).value_or(FieldType::json),
                            .list = field.is_list,
                            .optional = field.optional,
                            .min = field.min,
                            .max = field.max,
                            .max_bytes = field.max_bytes,
                            .max_items = field.max_items,
                            .choices = field.choices,
                            .default_value = field.default_value});
  }
  return declarations;
}

std::uint64_t HttpPushing::reserved_bytes() {
  return http::Workspace::kReadBytes + json::kStreamBytes + 64 * 1024;
}

std::expected<ServiceOptions, UsageError> HttpPushing::options(const PushingStage& stage) const {
  ServiceOptions options;
  const auto address = http::ListenAddress::parse(config_.http->listen);
  if (!address)
    return wrong("[http] listen = \"" + config_.http->listen +
                 "\" is no address: give it as 127.0.0.1:8080");
  options.listen = *address;
  options.token = config_.http->token;
  options.cors = config_.http->cors;
  options.tls = tls_.get();
  for (std::size_t at = 0; at < config_.feeds.size(); ++at) {
    const FeedConfig& feed = config_.feeds[at];
    PushedSource* const source = stage.sources[at];
    const bool has_sinks = source != nullptr && !stage.fan_out.ports_of(source->inlet()).empty();
    if (feed.is_input) {
      const InputConfig& input = config_.inputs[feed.index];
      auto shape =
          Shape::make(declarations_of(input.fields),
                      input.ignores_unknown ? UnknownMembers::ignore : UnknownMembers::refuse);
      if (!shape)
        return wrong("input " + input.name + ": field " + shape.error().path + ": " +
                     shape.error().key + " " + shape.error().message);
      options.inputs.push_back(
          {.name = input.name,
           .shape = std::move(*shape),
           .reply = input.reply == InputReply::echo ? Reply::echo : Reply::accepted,
           .handler = {},
           .ack = ack_of(input.ack),
           .max_body = static_cast<std::size_t>(input.max_body_bytes),
           .source = has_sinks ? source : nullptr});
    } else if (config_.sources[feed.index].type == SourceType::http) {
      const SourceConfig& config = config_.sources[feed.index];
      options.sources.push_back({.name = config.name,
                                 .ack = ack_of(config.ack),
                                 .max_body = static_cast<std::size_t>(config.max_body_bytes),
                                 .source = has_sinks ? source : nullptr});
    }
  }
  return options;
}

std::expected<void, UsageError> HttpPushing::start(const PushingStage& stage) {
  if (config_.http->tls) {
    auto loaded = http::TlsContext::load(
        {.certificate = config_.http->tls->cert, .key = config_.http->tls->key});
    if (!loaded) return wrong("[http] tls: " + loaded.error());
    tls_ = std::move(*loaded);
  }
  auto options = this->options(stage);
  if (!options) return std::unexpected(options.error());
  streams_ = stage.pool.take(json::kStreamBytes, Region::parser);
  if (!streams_) return wrong("[budget] memory leaves nothing for [http]: raise it");
  service_.emplace(ServiceContext{.loop = stage.loop,
                                  .clock = stage.clock,
                                  .pool = stage.pool,
                                  .selection = stage.fields,
                                  .streams = std::as_writable_bytes(streams_->bytes()),
                                  .fan_out = &stage.fan_out},
                   std::move(*options));
  if (const Result<void> started = service_->start(); !started) {
    return wrong("[http] listen = \"" + config_.http->listen +
                 "\": " + describe_error(started.error()));
  }
  print_message((tls_ ? "listening on https://" : "listening on http://") +
                config_.http->listen.substr(0, config_.http->listen.rfind(':')) + ":" +
                std::to_string(service_->port()));
  return {};
}

void HttpPushing::stop() {
  if (service_) service_->drain();
}

void print_reloaded(const std::string& section,
                    const std::expected<void, http::TlsContext::Problem>& reloaded) {
  print_message(section + (reloaded
                               ? " tls: the certificate is read again"
                               : " tls: the certificate stays as it was: " + reloaded.error()));
}

void HttpPushing::reload() {
  if (tls_) print_reloaded("[http]", tls_->reload());
}

void HttpPushing::end() {
  if (service_) service_->finish(kLastWordsNs);
  service_.reset();
  streams_.reset();
}

}  // namespace sluice
