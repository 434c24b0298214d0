package io.idem.internal.redis.client;

import io.lettuce.core.RedisException;

/** The server that was found as the master is none; who asks again soon finds the new one. */
final class DemotedException extends RedisException {

    DemotedException(String why) {
        super(why);
    }
}
