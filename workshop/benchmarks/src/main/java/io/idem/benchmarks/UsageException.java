package io.idem.benchmarks;

/** Thrown for an unknown option or a value that an option does not allow. */
final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }
}
