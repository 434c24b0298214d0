package io.idem.workshop.chaos.check;

/**
 * The answers that a client got for a key.
 *
 * @param lane lane of the requests
 * @param key key of the requests
 * @param accepted whether a request was accepted
 * @param differentAnswers number of different answers to accepted requests
 */
public record Promise(String lane, String key, boolean accepted, int differentAnswers) {}
