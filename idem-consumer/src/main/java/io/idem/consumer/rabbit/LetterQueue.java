package io.idem.consumer.rabbit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;

/** One look through a queue, message by message. Whatever is unsettled when it is closed is the broker's again. For one thread. */
final class LetterQueue implements AutoCloseable {

    private static final String DEFAULT_EXCHANGE = "";

    private final String name;
    private final ConfirmedPublisher publisher;
    private final Connection connection;
    private final Channel channel;

    LetterQueue(ConnectionFactory broker, String name, ConfirmedPublisher publisher) {
        this.name = name;
        this.publisher = publisher;
        this.connection = broker.createConnection();
        this.channel = connection.createChannel(false);
    }

    Optional<QueuedLetter> next() throws IOException {
        GetResponse got = channel.basicGet(name, false);
        return Optional.ofNullable(got).map(response -> QueuedLetter.of(response, name));
    }

    /** Puts a copy at the end of the queue, and takes the letter away. */
    void putBack(QueuedLetter letter) throws IOException {
        replace(letter, letter.copy(), name);
    }

    /** Publishes the message as it was before it became a dead letter, and takes the letter away. */
    void move(QueuedLetter letter, String queue) throws IOException {
        replace(letter, letter.message(), queue);
    }

    private void replace(QueuedLetter letter, Message by, String queue) throws IOException {
        if (!publisher.publish(new RabbitDestination(DEFAULT_EXCHANGE, queue), by)) {
            throw new IOException("Queue \"" + queue + "\" did not take the message");
        }
        channel.basicAck(letter.tag(), false);
    }

    /** A channel that went back to the cache would keep what is unsettled. */
    @Override
    public void close() {
        RabbitUtils.setPhysicalCloseRequired(channel, true);
        RabbitUtils.closeChannel(channel);
        RabbitUtils.closeConnection(connection);
    }
}
