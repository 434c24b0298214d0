package io.idem.internal.redis.client;

import io.idem.GuardAction;
import io.idem.redis.UnsuitableRedisException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A property of a server that an operator should know.
 *
 * @param action the reaction to it
 * @param problem the problem and its consequence
 * @param remedy the remedy
 * @param check the name under {@code idem.redis.checks} that decides on the reaction; empty if there is none
 */
record Finding(GuardAction action, String problem, String remedy, String check) {

    private static final Logger LOG = LoggerFactory.getLogger(Finding.class);

    private String setting() {
        return check.isEmpty() ? "" : "idem.redis.checks." + check;
    }

    /** Returns the exception for a server that must not be used. */
    UnsuitableRedisException refusal() {
        return new UnsuitableRedisException(problem, remedy, setting());
    }

    /** Logs the finding, unless the operator accepts it. */
    void log() {
        if (action == GuardAction.FAIL) {
            LOG.error("{}; {}. Until then Redis is not used for new work", problem, remedy);
        } else if (action == GuardAction.WARN) {
            LOG.warn("{}; {}{}", problem, remedy, check.isEmpty() ? "" : ". To accept it, set " + setting() + "=off");
        }
    }
}
