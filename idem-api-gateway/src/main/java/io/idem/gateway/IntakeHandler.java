package io.idem.gateway;

import org.springframework.web.servlet.function.ServerResponse;

/**
 * Answers a request whose key was granted. The answer is stored and replayed if its status ends the operation; an
 * exception or a 5xx releases the key. Thread-safe.
 */
@FunctionalInterface
public interface IntakeHandler {

    /** Answers a request. */
    ServerResponse handle(IntakeRequest request) throws Exception;
}
