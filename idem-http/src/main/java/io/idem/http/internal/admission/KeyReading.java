package io.idem.http.internal.admission;

import io.idem.http.KeyRules;

/** The result of parsing a request's key header. */
public sealed interface KeyReading {

    /** A request without a key. */
    record Absent() implements KeyReading {}

    /**
     * A request with one key.
     *
     * @param key parsed value in its canonical form: unquoted, escapes resolved, a UUID in lower case
     * @param sent parsed value as sent, which was the key in earlier versions
     */
    record Present(String key, String sent) implements KeyReading {

        static Present of(String sent) {
            return new Present(KeyRules.canonical(sent), sent);
        }
    }

    /**
     * A request whose header is not one well-formed key.
     *
     * @param why explanation and advice for the client, without the value that was sent
     */
    record Malformed(String why) implements KeyReading {}
}
