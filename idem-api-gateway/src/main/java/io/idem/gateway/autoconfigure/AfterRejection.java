package io.idem.gateway.autoconfigure;

/** What a client's retry does with an operation that a consumer has rejected. */
enum AfterRejection {
    /** It gets the stored answer. */
    REPLAY,
    /** It opens the operation again, which is published once more. */
    REOPEN
}
