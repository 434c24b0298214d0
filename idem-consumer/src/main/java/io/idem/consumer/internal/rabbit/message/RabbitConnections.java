package io.idem.consumer.internal.rabbit.message;

import io.idem.RefusedWorkException;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.ConsumerEvents;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RoutingConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleResourceHolder;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The application's connections to RabbitMQ by their names, which are the bean names of their
 * {@link ConnectionFactory}s, and what it declares and listens to. Names matter only where there are several.
 * Thread-safe; opens no connection.
 *
 * @param beans of the application
 */
public record RabbitConnections(ListableBeanFactory beans) {

    /**
     * Returns the name by which messages that came over a connection are to be sent over it again.
     *
     * @param connection a routing one stands for the target that the calling thread has chosen
     * @return empty if the application has only one connection, or this one is no bean
     */
    public Optional<String> nameAmongSeveral(ConnectionFactory connection) {
        return named().size() < 2 ? Optional.empty() : name(connection);
    }

    /**
     * Returns the name with which a message is kept until it leaves over a connection.
     *
     * @param connection a routing one stands for the target that the calling thread has chosen
     * @return always present, since the application may have more connections when the message leaves
     * @throws RefusedWorkException if it is no bean, since nothing would find it later
     */
    public Optional<String> keptFor(ConnectionFactory connection) {
        ConnectionFactory target = chosen(connection);
        Optional<String> name = namesOf(target == null ? connection : target).findFirst();
        if (name.isEmpty()) {
            throw new RefusedWorkException(
                    "A message of an inbox transaction cannot be kept, because the connection of its"
                            + " RabbitTemplate is no bean: after the commit nothing could tell where it goes. Make the ConnectionFactory,"
                            + " and each target of a routing one, a bean");
        }
        return name;
    }

    /** Returns the bean name of a connection; empty if it is no bean. */
    public Optional<String> name(ConnectionFactory connection) {
        return Stream.concat(Stream.ofNullable(chosen(connection)), Stream.of(connection))
                .flatMap(this::namesOf)
                .findFirst();
    }

    private Stream<String> namesOf(ConnectionFactory connection) {
        return named().entrySet().stream()
                .filter(bean -> bean.getValue() == connection)
                .map(Map.Entry::getKey);
    }

    private static @Nullable ConnectionFactory chosen(ConnectionFactory connection) {
        Object key = connection instanceof RoutingConnectionFactory ? SimpleResourceHolder.get(connection) : null;
        return key == null ? null : ((RoutingConnectionFactory) connection).getTargetConnectionFactory(key);
    }

    /**
     * Returns the connection of a name; the only one whatever the name, since its messages come from no other.
     *
     * @throws IllegalArgumentException if there are several, and none has this name
     */
    public ConnectionFactory named(String name) {
        Map<String, ConnectionFactory> named = named();
        ConnectionFactory connection =
                named.size() == 1 ? named.values().iterator().next() : named.get(name);
        if (connection == null) {
            throw new IllegalArgumentException("This application has no connection factory \"" + name + "\", it has "
                    + named.keySet() + ". Act in an application that has it, or give the bean its former name");
        }
        return connection;
    }

    /**
     * Returns every connection, the primary one first. Routing ones are left out where there are others: they lead to
     * these.
     *
     * @throws IllegalStateException if there is none
     */
    public List<ConnectionFactory> all() {
        Map<String, ConnectionFactory> named = named();
        if (named.isEmpty()) {
            throw new IllegalStateException("This application has no ConnectionFactory bean");
        }
        List<ConnectionFactory> direct = inOrder(named.values())
                .filter(connection -> !(connection instanceof RoutingConnectionFactory))
                .toList();
        return direct.isEmpty() ? inOrder(named.values()).toList() : direct;
    }

    private Stream<ConnectionFactory> inOrder(Collection<ConnectionFactory> connections) {
        ConnectionFactory primary =
                beans.getBeanProvider(ConnectionFactory.class).getIfUnique();
        return Stream.concat(Stream.ofNullable(primary), connections.stream()).distinct();
    }

    /**
     * Returns whether an exchange may delay messages: the application declares it with that type, or does not declare
     * it. The broker's own exchanges never do.
     */
    public boolean mayDelay(String exchange) {
        List<Exchange> known = declared(Exchange.class)
                .filter(declaration -> declaration.getName().equals(exchange))
                .toList();
        return !exchange.startsWith("amq.")
                && (known.isEmpty() || known.stream().anyMatch(RabbitConnections::delays));
    }

    private static boolean delays(Exchange exchange) {
        return exchange.isDelayed() || exchange.getType().equals(RabbitAdmin.DELAYED_MESSAGE_EXCHANGE);
    }

    /** Returns what the application declares of a type, as beans or in {@link Declarables}. */
    public <T extends Declarable> Stream<T> declared(Class<T> type) {
        return Stream.concat(
                beans.getBeanProvider(type).stream(),
                beans.getBeanProvider(Declarables.class).stream()
                        .flatMap(all -> all.getDeclarablesByType(type).stream()));
    }

    /** Returns the listeners to what happens to messages. */
    public ConsumerEvents events() {
        return new ConsumerEvents(beans.getBeanProvider(ConsumerEventListener.class)
                .orderedStream()
                .toList());
    }

    private Map<String, ConnectionFactory> named() {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, ConnectionFactory.class, false, true);
    }
}
