package io.idem.http;

import java.util.Optional;

/** Looks at a request before its key is taken: what it refuses leaves no trace under the key. Thread-safe. */
@FunctionalInterface
public interface RequestCheck {

    /** Accepts everything. */
    RequestCheck NONE = (request, body) -> Optional.empty();

    /**
     * Checks a request.
     *
     * @param body as received, not to be changed; empty for a multipart body
     * @return why it is refused; empty to let it pass
     */
    Optional<Refusal> check(IncomingRequest request, byte[] body);
}
