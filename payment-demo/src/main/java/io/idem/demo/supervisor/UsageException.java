package io.idem.demo.supervisor;

/** Thrown for an invalid command line. The message names the option. */
public final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }

    UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
