package io.idem.consumer.internal.rabbit.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.delivery.Delivery;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;

/** What a listener says to its channel, and when the broker hears of it. */
class HeldRabbitAckTest {

    private static final long TAG = 7;

    private final List<String> heard = new ArrayList<>();
    private final HeldRabbitAck held = new HeldRabbitAck(broker(), TAG, delivery());
    private final Channel listeners = HeldRabbitAck.channel(held);

    private Channel broker() {
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    heard.add(method.getName() + " " + arguments[0]);
                    return null;
                });
    }

    private static Delivery delivery() {
        return new Delivery(new RabbitDelivery(new Message(new byte[0]), () -> false));
    }

    @Test
    void nothingGoesOutBeforeItIsReleasedAndEverythingAfterwards() throws IOException {
        listeners.basicAck(TAG, false);
        assertThat(heard).isEmpty();
        held.release();
        assertThat(heard).containsExactly("basicAck 7");
    }

    /** Late work may end, and be handed back by a worker, while its method's thread is still on its way back. */
    @Test
    void whatSomebodyElseHasSettledIsNotOpenedAgainByAReleaseThatComesLate() throws IOException {
        held.close();
        held.release();
        listeners.basicAck(TAG, false);

        assertThat(heard).isEmpty();
    }
}
