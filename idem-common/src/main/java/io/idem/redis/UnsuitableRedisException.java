package io.idem.redis;

import io.idem.IdempotencyException;

/** The server answers but cannot keep records safely; the message says why and {@link #remedy()} what to do. */
public final class UnsuitableRedisException extends IdempotencyException {

    private final String remedy;

    UnsuitableRedisException(String message, String remedy) {
        super(message + "; " + remedy);
        this.remedy = remedy;
    }

    /** What an operator can do about it. */
    public String remedy() {
        return remedy;
    }
}
