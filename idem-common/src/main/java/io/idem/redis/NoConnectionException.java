package io.idem.redis;

import io.lettuce.core.RedisException;

/** There is no connection to send anything on; the cause tells why. */
final class NoConnectionException extends RedisException {

    NoConnectionException(String why, Throwable cause) {
        super(why, cause);
    }
}
