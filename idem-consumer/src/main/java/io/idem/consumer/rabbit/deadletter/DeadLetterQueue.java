package io.idem.consumer.rabbit.deadletter;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.send.ConfirmedPublisher;
import java.io.IOException;
import java.util.Optional;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;

/**
 * A pass through a queue, message by message. Messages that are unsettled when it is closed go back to the broker. For
 * one thread.
 */
final class DeadLetterQueue implements AutoCloseable {

    private static final String DEFAULT_EXCHANGE = "";

    private final String name;
    private final String tenant;
    private final ConfirmedPublisher publisher;
    private final Connection connection;
    private final Channel channel;

    /**
     * Begins a pass.
     *
     * @param tenant of letters that name none
     */
    DeadLetterQueue(ConnectionFactory broker, String name, String tenant, ConfirmedPublisher publisher) {
        this.name = name;
        this.tenant = tenant;
        this.publisher = publisher;
        this.connection = broker.createConnection();
        this.channel = connection.createChannel(false);
    }

    /** Returns the publisher on the connection of the queue. */
    ConfirmedPublisher publisher() {
        return publisher;
    }

    Optional<RabbitDeadLetter> next() throws IOException {
        GetResponse got = channel.basicGet(name, false);
        return Optional.ofNullable(got).map(response -> RabbitDeadLetter.of(response, name, tenant));
    }

    /** Puts a copy at the end of the queue, and takes the letter away. */
    void putBack(RabbitDeadLetter letter) throws IOException {
        replace(letter, letter.copy(), name, publisher);
    }

    /**
     * Publishes the message as it was before it became a dead letter, over its own connection, and takes the letter
     * away.
     */
    void move(RabbitDeadLetter letter, String queue, ConfirmedPublisher own) throws IOException {
        replace(letter, letter.message(), queue, own);
    }

    private void replace(RabbitDeadLetter letter, Message by, String queue, ConfirmedPublisher over)
            throws IOException {
        if (!over.publish("The copy of " + letter.delivered(), new RabbitDestination(DEFAULT_EXCHANGE, queue), by)) {
            throw new IOException("Queue \"" + queue + "\" did not take the message");
        }
        channel.basicAck(letter.tag(), false);
    }

    /** Closes the channel: in the cache it would keep its unsettled messages. */
    @Override
    public void close() {
        RabbitUtils.setPhysicalCloseRequired(channel, true);
        RabbitUtils.closeChannel(channel);
        RabbitUtils.closeConnection(connection);
    }
}
