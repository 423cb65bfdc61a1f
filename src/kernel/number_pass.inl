// Number pass, portable: the exact way (number/read.h) takes 4 to 12 ns a number, and nothing that
// all machines have is faster, so it gets them all. Included as text_pass.inl is.

/// Requires: tokens that were checked, those from `first` to before `end`.
void number_pass(Numbers& numbers, u32 first, u32 end) {
  for (u32 token = first; token < end; ++token) {
    numbers.rest[numbers.rest_count] = token;
    numbers.rest_count += is_number_token(numbers.tokens[token]);
  }
}
