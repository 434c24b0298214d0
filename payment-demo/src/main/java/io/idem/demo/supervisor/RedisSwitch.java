package io.idem.demo.supervisor;

import io.idem.demo.page.MachinesView.Redis;
import io.idem.demo.page.NotNowException;
import io.idem.servers.RunningRedis;
import org.jspecify.annotations.Nullable;

/** Stops and starts Redis, if there is one and it is ours. Thread-safe. */
final class RedisSwitch {

    private final @Nullable RunningRedis redis;
    private final Redis otherwise;

    private RedisSwitch(@Nullable RunningRedis redis, Redis otherwise) {
        this.redis = redis;
        this.otherwise = otherwise;
    }

    /** Returns a switch of a Redis that the demo has started. */
    static RedisSwitch of(RunningRedis redis) {
        return new RedisSwitch(redis, Redis.NOT_OURS);
    }

    /** Returns a switch of a Redis that others have started. */
    static RedisSwitch notOurs() {
        return new RedisSwitch(null, Redis.NOT_OURS);
    }

    /** Returns a switch of a demo without Redis. */
    static RedisSwitch none() {
        return new RedisSwitch(null, Redis.NONE);
    }

    Redis state() {
        if (redis == null) {
            return otherwise;
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
            throw new NotNowException(
                    otherwise == Redis.NONE
                            ? "This demo runs without Redis."
                            : "This Redis was started by somebody else: it is not ours to stop.");
        }
        return redis;
    }
}
