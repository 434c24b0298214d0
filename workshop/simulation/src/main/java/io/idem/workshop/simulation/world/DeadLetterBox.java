package io.idem.workshop.simulation.world;

import io.idem.consumer.DeliveredMessage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.core.Message;

/** The destination to which idem publishes dead letters with confirms. */
record DeadLetterBox(World world) {

    /** Publishes the dead letter of a message and returns whether it was confirmed. Blocks. */
    boolean publish(DeliveredMessage message) {
        return publish(PaymentListener.key((Message) message.source()));
    }

    boolean publish(String key) {
        String attempt = world.attempts().current();
        world.step("before the dead letter of " + key);
        try {
            return new Publishing(world)
                    .publish(key, letter -> {
                        world.log().deadLettered(letter, attempt);
                        world.history().deadLettered(letter, "published");
                    })
                    .get(3, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException refused) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
