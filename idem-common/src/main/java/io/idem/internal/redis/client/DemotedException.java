package io.idem.internal.redis.client;

import io.lettuce.core.RedisException;

/** Thrown when the server that was named as master is a replica; asking again soon finds the new master. */
final class DemotedException extends RedisException {

    DemotedException(String why) {
        super(why);
    }
}
