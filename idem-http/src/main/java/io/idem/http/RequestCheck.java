package io.idem.http;

import java.util.Optional;

/** A check of requests before their key is taken: a request that is refused leaves no record. Thread-safe. */
@FunctionalInterface
public interface RequestCheck {

    /** The check that accepts every request. */
    RequestCheck NONE = (request, body) -> Optional.empty();

    /**
     * Checks a request and its body.
     *
     * @param body the body as received, empty for a multipart body; must not be changed
     * @return the refusal; empty to accept the request
     */
    Optional<Refusal> check(IncomingRequest request, byte[] body);
}
