package io.idem.workshop.chaos.check;

/**
 * What a client was told about a key.
 *
 * @param lane where it asked
 * @param key its key
 * @param accepted whether it was told that its request is taken care of
 * @param differentAnswers how many different answers it got to accepted requests
 */
public record Promise(String lane, String key, boolean accepted, int differentAnswers) {}
