package io.idem.workshop.chaos;

/** The command line does not make sense. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}
