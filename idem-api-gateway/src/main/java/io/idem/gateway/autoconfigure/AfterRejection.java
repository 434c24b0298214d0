package io.idem.gateway.autoconfigure;

/** The effect of a client's retry on an operation that a consumer has rejected. */
enum AfterRejection {
    /** Answers the retry with the stored answer. */
    ANSWER,
    /** Opens the operation again and publishes it once more. */
    REOPEN
}
