#include "app/idempotency.h"

#include <openssl/evp.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace sluice {
namespace {

/// An entry, its place in the list and in the map, beside the texts it holds.
constexpr std::size_t kEntryBytes = 256;

}  // namespace

IdempotencyStore::~IdempotencyStore() { budget_.give_back(Region::fixed, bytes_); }

IdempotencyStore::Fingerprint IdempotencyStore::fingerprint(std::string_view query,
                                                            std::span<const std::uint8_t> body) {
  const auto hash = [](const void* data, std::size_t size) {
    Fingerprint digest;
    unsigned length = 0;
    SLUICE_CHECK(EVP_Digest(data, size, digest.data(), &length, EVP_sha256(), nullptr) == 1);
    return digest;
  };
  std::array<Fingerprint, 2> parts = {hash(query.data(), query.size()),
                                      hash(body.data(), body.size())};
  return hash(parts.data(), sizeof parts);
}

/// No byte of a header's value or of an input's name is 0.
std::string IdempotencyStore::name_of(std::string_view scope, std::string_view key) {
  std::string name(scope);
  name += '\0';
  return name.append(key);
}

IdempotencyStore::Begun IdempotencyStore::begin(std::string_view scope, std::string_view key,
                                                const Fingerprint& content, std::uint64_t now_ns) {
  drop_old(now_ns);
  std::string name = name_of(scope, key);
  if (const auto known = by_name_.find(name); known != by_name_.end()) {
    const Entry& entry = *known->second;
    if (entry.content != content) return {Outcome::reused};
    if (!entry.finished) return {Outcome::busy};
    return {Outcome::repeat, &entry.answer};
  }
  const std::size_t bytes = kEntryBytes + name.size();
  entries_.push_back(
      {.name = std::move(name), .content = content, .begun_ns = now_ns, .answer = {}});
  const auto entry = std::prev(entries_.end());
  if (!take(*entry, bytes)) {
    entries_.erase(entry);
    return {Outcome::no_room};
  }
  by_name_.emplace(entry->name, entry);
  return {Outcome::fresh};
}

void IdempotencyStore::finish(std::string_view scope, std::string_view key, StoredAnswer answer) {
  const auto known = by_name_.find(name_of(scope, key));
  SLUICE_CHECK(known != by_name_.end());
  Entry& entry = *known->second;
  entry.finished = true;
  if (!take(entry, answer.body.size() + answer.media_type.size())) return erase(known->second);
  entry.answer = std::move(answer);
}

void IdempotencyStore::forget(std::string_view scope, std::string_view key) {
  const auto known = by_name_.find(name_of(scope, key));
  if (known != by_name_.end()) erase(known->second);
}

/// Counts so many bytes more for the entry; the oldest answers make room for it.
bool IdempotencyStore::take(Entry& entry, std::size_t bytes) {
  if (bytes > most_bytes_ - std::min(most_bytes_, entry.bytes)) return false;
  while (bytes_ + bytes > most_bytes_ || !budget_.try_take(Region::fixed, bytes)) {
    if (!drop_oldest(entry)) return false;
  }
  bytes_ += bytes;
  entry.bytes += bytes;
  return true;
}

bool IdempotencyStore::drop_oldest(const Entry& but) {
  const auto oldest = std::ranges::find_if(
      entries_, [&](const Entry& each) { return each.finished && &each != &but; });
  if (oldest == entries_.end()) return false;
  erase(oldest);
  return true;
}

void IdempotencyStore::drop_old(std::uint64_t now_ns) {
  while (!entries_.empty() && entries_.front().finished &&
         now_ns - entries_.front().begun_ns >= kKeepNs) {
    erase(entries_.begin());
  }
}

void IdempotencyStore::erase(Entries::iterator entry) {
  by_name_.erase(entry->name);
  budget_.give_back(Region::fixed, entry->bytes);
  bytes_ -= entry->bytes;
  entries_.erase(entry);
}

}  // namespace sluice
