package io.idem.consumer.internal.rabbit.send;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.AwaitedMessage;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import io.idem.internal.DaemonThreads;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.AmqpResourceNotAvailableException;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.connection.PublisherCallbackChannel;
import org.springframework.amqp.rabbit.connection.PublisherCallbackChannelImpl;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.support.RabbitExceptionTranslator;
import org.springframework.aop.support.AopUtils;

/**
 * Publishes what idem itself publishes over an application's connection: on channels of its own, which it puts into confirm
 * mode, so that the application's settings for confirms and returns do not matter. A channel is used again when its
 * message is confirmed; so a message for which the broker closes the channel takes no other along. Thread-safe; does not
 * block on confirms.
 */
public final class ConfirmedChannels {

    /** As many as a connection factory of Spring keeps. */
    private static final int IDLE = 25;

    private final RabbitTemplate template;
    private final Duration confirmTimeout;
    private final ExecutorService answers = Executors.newCachedThreadPool(DaemonThreads.named("idem-confirms"));
    private final Map<com.rabbitmq.client.Connection, Queue<PublisherCallbackChannel>> idle = new ConcurrentHashMap<>();

    /**
     * Makes channels over the connection of a template; a routing one goes on to the target that the calling thread has
     * chosen.
     *
     * @param template its post-processors and observations apply
     * @param confirmTimeout after which a channel is closed whose message the broker has not answered
     */
    public ConfirmedChannels(RabbitTemplate template, Duration confirmTimeout) {
        this.template = template;
        this.confirmTimeout = confirmTimeout;
    }

    /** Makes channels over a connection, for messages that leave as they are. */
    ConfirmedChannels(ConnectionFactory connections, Duration confirmTimeout) {
        this(new RabbitTemplate(connections), confirmTimeout);
    }

    /**
     * Publishes a message until the broker has taken it over or nobody wants it.
     *
     * @param application its connections; empty if every return of the message is a refusal
     * @return completes then, and exceptionally when the broker refused it; never throws
     */
    public CompletableFuture<Void> publish(OutgoingRabbitMessage message, Optional<RabbitConnections> application) {
        return new AwaitedMessage(
                        message, () -> application, template.getConnectionFactory(), sent -> send(message, sent), null)
                .publish();
    }

    private void send(OutgoingRabbitMessage message, CorrelationData sent) {
        Connection connection = template.getConnectionFactory().createConnection();
        try {
            send(message, sent, connection.getDelegate());
        } catch (IOException notOpened) {
            throw RabbitExceptionTranslator.convertRabbitAccessException(notOpened);
        } finally {
            RabbitUtils.closeConnection(connection);
        }
    }

    private void send(OutgoingRabbitMessage message, CorrelationData sent, com.rabbitmq.client.Connection over)
            throws IOException {
        idle.keySet().removeIf(other -> !other.isOpen());
        Queue<PublisherCallbackChannel> kept = idle.computeIfAbsent(over, opened -> new LinkedBlockingQueue<>(IDLE));
        kept.removeIf(channel -> !channel.isOpen());
        PublisherCallbackChannel used = kept.poll();
        PublisherCallbackChannel channel = used == null ? open(over) : used;
        RabbitDestination to = message.destination();
        RoutedMessage content = message.message();
        try {
            template.addListener(channel);
            template.doSend(channel, to.exchange(), to.routingKey(), content, content.mandatory(), sent);
        } catch (RuntimeException notSent) {
            channel.abort();
            throw RabbitExceptionTranslator.convertRabbitAccessException(notSent);
        }
        channel.setAfterAckCallback(confirmed -> {
            if (!kept.offer(channel)) {
                RabbitUtils.closeChannel(channel);
            }
        });
        // Unanswered channels would add up on the application's connection, which has a limit for them.
        var unused = sent.getFuture()
                .thenRun(() -> {})
                .orTimeout(confirmTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyAsync(
                        late -> {
                            RabbitUtils.closeChannel(channel);
                            return null;
                        },
                        answers);
    }

    private PublisherCallbackChannel open(com.rabbitmq.client.Connection connection) throws IOException {
        Channel opened = connection
                .openChannel()
                .orElseThrow(() ->
                        new AmqpResourceNotAvailableException("The connection has no more channels (channelMax)"));
        opened.confirmSelect();
        PublisherCallbackChannel channel = new PublisherCallbackChannelImpl(opened, answers);
        // A template awaits confirms on channels that say so.
        return (PublisherCallbackChannel) Proxy.newProxyInstance(
                ChannelProxy.class.getClassLoader(),
                new Class<?>[] {ChannelProxy.class, PublisherCallbackChannel.class, Serializable.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isPublisherConfirms" -> true;
                    case "getTargetChannel" -> channel;
                    default -> AopUtils.invokeJoinpointUsingReflection(channel, method, arguments);
                });
    }
}
