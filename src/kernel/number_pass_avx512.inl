// Number pass of AVX-512: the numbers among 64 tokens are queued at once, and go from the queue in
// eights (number_lanes_avx512.inl). Included by avx512.cpp.

/// Tokens of numbers that wait for their turn, counted from a first one.
struct NumberQueue {
  static constexpr u32 kSize = 512;

  u32 first;
  u32 count = 0;
  u16 tokens[kSize + 64];
};

/// Converts what waits. Lanes behind the last one do the first number once more, with the same
/// result.
inline void convert_queue(Numbers& numbers, NumberQueue& queue) {
  constexpr u32 kReadable = 32;
  const u32 first = queue.first;
  u32 count = queue.count;
  queue.count = 0;
  while (count != 0 &&
         numbers.text_size - numbers.places[first + queue.tokens[count - 1]] < kReadable) {
    numbers.rest[numbers.rest_count++] = first + queue.tokens[--count];
  }
  if (count == 0) return;
  for (u32 i = 0; i < 8; ++i) queue.tokens[count + i] = queue.tokens[0];
  for (u32 at = 0; at < count; at += 8) {
    const u16* const tokens = queue.tokens + at;
    const ConvertedLanes converted = convert_lanes(NumberText(numbers, first, tokens));
    NumberBits bits[8];
    _mm512_storeu_si512(bits, converted.bits);
    for (u32 i = 0; i < 8; ++i) numbers.values[(first + tokens[i]) / 2] = bits[i];
    const u32 there = (1u << std::min(count - at, u32{8})) - 1;
    for (u32 left = converted.left & there; left != 0; left &= left - 1) {
      numbers.rest[numbers.rest_count++] = first + tokens[_tzcnt_u32(left)];
    }
  }
}

void number_pass(Numbers& numbers, u32 first, u32 end) {
  NumberQueue queue;
  queue.first = first;
  const __m512i indices = _mm512_loadu_si512(kIndices.data());
  for (u32 at = first; at < end; at += 64) {
    const Block tokens = Block::load(numbers.tokens + at);
    const u64 there = ~u64{0} >> (64 - std::min(end - at, u32{64}));
    const u64 marks = (tokens.between('0', '9') | tokens.equal('-')) & there;
    const __m512i marked = _mm512_maskz_compress_epi8(marks, indices);
    const __m512i start = _mm512_set1_epi16(static_cast<short>(at - first));
    u16* const out = queue.tokens + queue.count;
    _mm512_storeu_si512(
        out, _mm512_add_epi16(start, _mm512_cvtepu8_epi16(_mm512_castsi512_si256(marked))));
    queue.count += static_cast<u32>(_mm_popcnt_u64(marks));
    if (queue.count >= NumberQueue::kSize - 64) convert_queue(numbers, queue);
  }
  convert_queue(numbers, queue);
}
