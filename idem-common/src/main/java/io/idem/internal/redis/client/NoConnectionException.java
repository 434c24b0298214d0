package io.idem.internal.redis.client;

import io.lettuce.core.RedisException;

/** There is no connection to send anything on; the cause tells why. */
public final class NoConnectionException extends RedisException {

    public NoConnectionException(String why, Throwable cause) {
        super(why, cause);
    }
}
