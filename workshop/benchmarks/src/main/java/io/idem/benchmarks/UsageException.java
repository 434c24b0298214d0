package io.idem.benchmarks;

/** An option that is not one, or has a value that it cannot have. */
final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }
}
