-- What Redis 7.0 offers to scripts.
std = "lua51"
read_globals = {"redis", "KEYS", "ARGV", "struct"}
max_line_length = 140
