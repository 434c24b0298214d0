package io.idem.gateway;

import org.springframework.web.servlet.function.ServerResponse;

/**
 * Answers a request whose key was granted. Its answer is stored and replayed if its status says that it ends the operation; an
 * exception or a 5xx frees the key. Thread-safe.
 */
@FunctionalInterface
public interface IntakeHandler {

    /** Answers. */
    ServerResponse handle(IntakeRequest request) throws Exception;
}
