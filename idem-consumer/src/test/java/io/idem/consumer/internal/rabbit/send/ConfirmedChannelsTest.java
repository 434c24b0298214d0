package io.idem.consumer.internal.rabbit.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/** Channels of a broker that accepts messages and confirms none, as a quorum queue without its majority does. */
class ConfirmedChannelsTest {

    @Test
    void aChannelWhoseMessageIsNotConfirmedInTimeIsClosed() throws Exception {
        Channel channel = mock();
        when(channel.isOpen()).thenReturn(true);
        com.rabbitmq.client.Connection delegate = mock();
        when(delegate.isOpen()).thenReturn(true);
        when(delegate.openChannel()).thenReturn(Optional.of(channel));
        Connection connection = mock();
        when(connection.getDelegate()).thenReturn(delegate);
        ConnectionFactory connections = mock();
        when(connections.createConnection()).thenReturn(connection);

        CompletableFuture<Void> taken = new ConfirmedChannels(connections, Duration.ofMillis(1))
                .publish(
                        OutgoingRabbitMessage.of(
                                new RabbitDestination("", "queue"), new RoutedMessage(new Message(new byte[0]), true)),
                        Optional.empty());

        await().untilAsserted(() -> verify(channel).close());
        verify(channel).basicPublish(any(), any(), anyBoolean(), any(), any());
        assertThat(taken).isNotDone();
    }
}
