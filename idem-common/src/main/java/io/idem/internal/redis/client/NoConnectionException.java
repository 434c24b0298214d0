package io.idem.internal.redis.client;

import io.lettuce.core.RedisException;

/** Thrown when there is no connection; the cause tells why. */
public final class NoConnectionException extends RedisException {

    public NoConnectionException(String why, Throwable cause) {
        super(why, cause);
    }
}
