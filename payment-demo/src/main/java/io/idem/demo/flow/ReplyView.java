package io.idem.demo.flow;

/**
 * Replies of one sort.
 *
 * @param status of HTTP, or 0 without a reply
 * @param replayed whether they said that they were replays
 * @param count how many there were
 */
public record ReplyView(int status, boolean replayed, int count) {}
