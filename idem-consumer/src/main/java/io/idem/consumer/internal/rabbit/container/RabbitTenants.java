package io.idem.consumer.internal.rabbit.container;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.rabbit.RabbitTenant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Finds the tenant of messages that name none, by their origin; warns of listeners that mix two origins. Thread-safe.
 */
public final class RabbitTenants {

    private final RabbitTenant source;
    private final RabbitConnections connections;
    private final Map<Scope, Origin> origins = new ConcurrentHashMap<>();

    /**
     * Makes the tenants of an application.
     *
     * @param source the setting {@code idem.consumer.rabbit.tenant}
     */
    public RabbitTenants(RabbitTenant source, RabbitConnections connections) {
        this.source = source;
        this.connections = connections;
    }

    /**
     * Returns the tenant of the messages of a listener's container. Warns if the listener receives over another
     * connection under the same tenant.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if the connection has no name that could be the tenant's
     */
    public String of(ConnectionFactory connection, IdempotentRabbitEndpoint endpoint, Set<Scope> scopes) {
        Origin origin = new Origin(
                connection,
                tenant(connection)
                        .orElseThrow(() -> endpoint.refused(
                                "receives over a connection factory that is no bean, so that it has no name to be the tenant",
                                "Make it a bean, or set idem.consumer.rabbit.tenant to virtual-host")));
        for (Scope scope : scopes) {
            Origin other = origins.putIfAbsent(scope, origin);
            if (other != null
                    && other.connection() != connection
                    && other.tenant().equals(origin.tenant())) {
                endpoint.warn("receives over two connections. If they are two tenants', a message of one is taken for a"
                        + " duplicate of the other's with the same key: set idem.consumer.rabbit.tenant to virtual-host or"
                        + " connection");
            }
        }
        return origin.tenant();
    }

    /** Returns the tenant of the messages in a queue that is read over a connection. */
    public String of(ConnectionFactory connection) {
        return tenant(connection).orElse(IdempotencyKey.DEFAULT_TENANT);
    }

    private Optional<String> tenant(ConnectionFactory connection) {
        return switch (source) {
            case HEADER -> Optional.of(IdempotencyKey.DEFAULT_TENANT);
            case VIRTUAL_HOST -> Optional.of(connection.getVirtualHost());
            case CONNECTION -> connections.name(connection);
        };
    }

    private record Origin(ConnectionFactory connection, String tenant) {}
}
