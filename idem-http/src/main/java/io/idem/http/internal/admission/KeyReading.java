package io.idem.http.internal.admission;

/** The result of parsing a request's key header. */
public sealed interface KeyReading {

    /** A request without a key. */
    record Absent() implements KeyReading {}

    /**
     * A request with one key.
     *
     * @param key parsed value: unquoted, escapes resolved
     */
    record Present(String key) implements KeyReading {}

    /**
     * A request whose header is not one well-formed key.
     *
     * @param why explanation and advice for the client, without the value that was sent
     */
    record Malformed(String why) implements KeyReading {}
}
