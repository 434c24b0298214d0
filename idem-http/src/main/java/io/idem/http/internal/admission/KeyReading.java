package io.idem.http.internal.admission;

/** What a request said about its key. */
public sealed interface KeyReading {

    /** It carried no key. */
    record Absent() implements KeyReading {}

    /**
     * It carried one key.
     *
     * @param key the parsed value: unquoted, escapes resolved
     */
    record Present(String key) implements KeyReading {}

    /**
     * It carried something that cannot be a key.
     *
     * @param why says what is wrong and what to send instead, without repeating what was sent; safe to show to the client
     */
    record Malformed(String why) implements KeyReading {}
}
