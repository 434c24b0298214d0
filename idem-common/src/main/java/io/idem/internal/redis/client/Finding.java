package io.idem.internal.redis.client;

import io.idem.GuardAction;
import io.idem.redis.UnsuitableRedisException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something about a server that an operator should know.
 *
 * @param problem what it is, and what may come of it
 * @param remedy what to do
 * @param setting under {@code idem.redis}, which decides what is done about it
 */
public record Finding(String problem, String remedy, String setting) {

    private static final Logger LOG = LoggerFactory.getLogger(Finding.class);

    /**
     * Does what the operator chose.
     *
     * @throws UnsuitableRedisException if that is to refuse the server
     */
    public void report(GuardAction action) {
        if (action == GuardAction.FAIL) {
            throw new UnsuitableRedisException(problem, remedy, "idem.redis." + setting);
        }
        if (action == GuardAction.WARN) {
            LOG.warn("{}; {}. To accept it, set idem.redis.{}=off", problem, remedy, setting);
        }
    }
}
