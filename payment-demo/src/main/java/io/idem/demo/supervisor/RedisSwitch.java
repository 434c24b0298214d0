package io.idem.demo.supervisor;

import io.idem.demo.page.MachinesView.Redis;
import io.idem.demo.page.NotNowException;
import io.idem.servers.RunningRedis;
import org.jspecify.annotations.Nullable;

/** Stops and starts Redis, if it is ours. Thread-safe. */
final class RedisSwitch {

    private final @Nullable RunningRedis redis;

    /** {@code redis} is null if somebody else's is used. */
    RedisSwitch(@Nullable RunningRedis redis) {
        this.redis = redis;
    }

    Redis state() {
        if (redis == null) {
            return Redis.NOT_OURS;
        }
        return redis.pid().isPresent() ? Redis.UP : Redis.STOPPED;
    }

    void stop() {
        ours().stop();
    }

    void start() {
        ours().start();
    }

    private RunningRedis ours() {
        if (redis == null) {
            throw new NotNowException("This Redis was started by somebody else: it is not ours to stop.");
        }
        return redis;
    }
}
