// The row of a kernel: all of its passes. Included last, as text_pass.inl is.

constexpr Kernel kernel_row(const char* name) {
  return {
      name,
      {{text_pass<TokenForm::bare, false>, text_pass<TokenForm::bare, true>},
       {text_pass<TokenForm::placed, false>, text_pass<TokenForm::placed, true>},
       {text_pass<TokenForm::lines, false>, text_pass<TokenForm::lines, true>}},
      scalar_pass,
      suspect_pass,
      token_pass,
      skip_pass,
      replay_pass,
      index_pass,
      number_pass,
      newline_pass,
      escape_pass,
      compact_pass,
      decode_pass,
  };
}
