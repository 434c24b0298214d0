package io.idem.e2e;

import static io.idem.workshop.process.Waiting.waitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.e2e.instances.Broker;
import io.idem.e2e.instances.Instances;
import io.idem.e2e.instances.KafkaBroker;
import io.idem.e2e.instances.Payments;
import io.idem.e2e.instances.RabbitBroker;
import io.idem.workshop.process.Money;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every key has one effect: every key is sent twice and every tenth one fails the first time, while instances join and
 * leave and connections to the broker break and recover.
 */
@Tag("extended")
class InstancesComeAndGoTest {

    private static final int SOME_KEYS = 300;
    private static final int MANY_KEYS = 1_500;

    /** The time between messages, so that they arrive for as long as instances join and leave. */
    private static final Duration BETWEEN_MESSAGES = Duration.ofMillis(4);

    /** The time limit of the run; a busy machine can be eight times slower than an idle one. */
    private static final Duration UNTIL_ALL_IS_DONE = Duration.ofMinutes(5);

    private static final int FEWEST_ROUNDS = 2;
    private static final int MOST_ROUNDS = 6;

    /** The broker of the messages. */
    enum Transport {
        RABBIT,
        KAFKA;

        Broker broker() {
            return switch (this) {
                case RABBIT -> new RabbitBroker();
                case KAFKA -> new KafkaBroker();
            };
        }
    }

    @Test
    void everyKeyHasOneEffectWhileInstancesJoinAndLeaveAndConnectionsBreak() {
        play(Transport.RABBIT, SOME_KEYS, true);
    }

    @Tag("extended")
    @ParameterizedTest
    @EnumSource
    void everyOfManyKeysHasOneEffectWhileInstancesJoinAndLeave(Transport transport) {
        play(transport, MANY_KEYS, false);
    }

    @Tag("extended")
    @ParameterizedTest
    @EnumSource
    void everyKeyHasOneEffectWhileInstancesComeAndGoAndConnectionsBreak(Transport transport) {
        play(transport, MANY_KEYS, true);
    }

    private static void play(Transport transport, int keys, boolean breaking) {
        Payments payments = new Payments(Money.freshKey("instances"), keys);
        try (Broker broker = transport.broker();
                Instances instances = new Instances(broker, payments)) {
            instances.join();
            instances.join();
            List<String> messages = twoCopies(payments.keys());
            int held = messages.size() / 4;
            CompletableFuture<Void> published =
                    CompletableFuture.runAsync(() -> publish(broker, messages.subList(held, messages.size())));
            waitUntil("the first payment is made").until(() -> payments.made() > 0);
            for (int round = 0; round < FEWEST_ROUNDS || (round < MOST_ROUNDS && !published.isDone()); round++) {
                if (breaking) {
                    breakConnections(broker, round);
                }
                instances.leave();
                instances.join();
            }
            published.join();
            // However fast the first instances were, the last ones have work to do.
            publish(broker, messages.subList(0, held));
            waitUntil("all payments are made and every message is acknowledged")
                    .atMost(UNTIL_ALL_IS_DONE)
                    .until(() -> payments.made() == keys && payments.duplicates() >= keys && broker.left() == 0);
            instances.close();

            assertThat(payments.wrong()).isEmpty();
            assertThat(payments.notFailedYet()).isZero();
            assertThat(payments.deadLetters()).isZero();
            assertThat(payments.workers()).as("instances that worked").hasSizeGreaterThan(2);
            assertThat(broker.left()).isZero();
        }
    }

    /** Returns two copies of each message in an order in which copies arrive at the same time as well as late. */
    private static List<String> twoCopies(List<String> keys) {
        List<String> messages = new ArrayList<>(keys);
        messages.addAll(keys);
        Collections.shuffle(messages, new Random(18));
        return messages;
    }

    private static void publish(Broker broker, List<String> messages) {
        for (String key : messages) {
            broker.publish(key);
            LockSupport.parkNanos(BETWEEN_MESSAGES.toNanos());
        }
    }

    /** Breaks all connections: in the first round for so long that every client notices, later for a moment. */
    private static void breakConnections(Broker broker, int round) {
        if (round > 0) {
            broker.proxy().cut();
            return;
        }
        broker.proxy().refuse();
        try {
            waitUntil("no connection is left").until(() -> broker.proxy().connections() == 0);
        } finally {
            broker.proxy().pass();
        }
    }
}
