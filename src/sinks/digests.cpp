#include "sinks/digests.h"

#include <openssl/evp.h>

#include <array>

#include "base/check.h"

namespace sluice {

struct Digests::Sha256 {
  Sha256() : context(EVP_MD_CTX_new()) {
    SLUICE_CHECK(context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1);
  }
  ~Sha256() { EVP_MD_CTX_free(context); }
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  EVP_MD_CTX* context;
};

Digests::Digests(const Wanted& wanted) : wants_crc32c_(wanted.crc32c) {
  if (wanted.sha256) sha256_ = std::make_unique<Sha256>();
}

Digests::~Digests() = default;

void Digests::update(std::span<const std::uint8_t> bytes) {
  bytes_ += bytes.size();
  if (wants_crc32c_) crc32c_.update(bytes);
  if (sha256_) {
    SLUICE_CHECK(EVP_DigestUpdate(sha256_->context, bytes.data(), bytes.size()) == 1);
  }
}

std::string Digests::sha256() const {
  if (!sha256_) return {};
  // Finishing ends a context; a copy keeps the digest open for more.
  EVP_MD_CTX* const copy = EVP_MD_CTX_new();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  SLUICE_CHECK(copy != nullptr && EVP_MD_CTX_copy_ex(copy, sha256_->context) == 1 &&
               EVP_DigestFinal_ex(copy, digest.data(), &size) == 1);
  EVP_MD_CTX_free(copy);
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (unsigned int at = 0; at < size; ++at) {
    text += kHex[digest[at] >> 4];
    text += kHex[digest[at] & 15];
  }
  return text;
}

}  // namespace sluice
