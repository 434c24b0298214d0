package io.idem.internal.redis.client;

import io.idem.GuardAction;
import io.idem.redis.UnsuitableRedisException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A property of a server that an operator should know.
 *
 * @param problem the problem and its consequence
 * @param remedy the remedy
 * @param setting the setting under {@code idem.redis} that decides on the reaction
 */
public record Finding(String problem, String remedy, String setting) {

    private static final Logger LOG = LoggerFactory.getLogger(Finding.class);

    /**
     * Reacts as the operator's setting says.
     *
     * @throws UnsuitableRedisException if the setting is to refuse the server
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
