package io.idem.demo.supervisor;

/** A command line that cannot be followed; the message names the option. */
public final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }

    UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
