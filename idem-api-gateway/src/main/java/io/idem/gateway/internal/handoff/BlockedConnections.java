package io.idem.gateway.internal.handoff;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.event.AmqpEvent;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionBlockedEvent;
import org.springframework.amqp.rabbit.connection.ConnectionUnblockedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Tracks whether RabbitMQ blocks publishers: short of memory or disk space, it sends {@code connection.blocked} and
 * lets publishers wait. Thread-safe.
 */
public final class BlockedConnections implements ApplicationListener<AmqpEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(BlockedConnections.class);

    private final Set<Connection> blocked = ConcurrentHashMap.newKeySet();

    @Override
    public void onApplicationEvent(AmqpEvent event) {
        if (event instanceof ConnectionBlockedEvent began) {
            LOG.warn(
                    "RabbitMQ takes no messages ({}); requests to its routes are answered with 503", began.getReason());
            blocked.add(began.getConnection());
        } else if (event instanceof ConnectionUnblockedEvent ended) {
            LOG.info("RabbitMQ takes messages again");
            blocked.remove(ended.getConnection());
        }
    }

    /**
     * Checks that no connection is known to be blocked.
     *
     * @throws AmqpException if one is blocked
     */
    void check() {
        blocked.removeIf(connection -> !connection.isOpen());
        if (!blocked.isEmpty()) {
            throw new AmqpException("the broker has blocked the connection");
        }
    }
}
