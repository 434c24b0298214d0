package io.idem.workshop.simulation.world;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.workshop.simulation.check.Names;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A quorum queue with at-least-once delivery, prefetch and a delivery limit. Messages returned by a lost connection and
 * rejected messages count towards the limit; messages handed back count before RabbitMQ 4.3. A message over the limit
 * becomes a dead letter.
 */
final class QueueBroker implements Destination {

    private static final int LIMIT = 20;
    private static final Duration WAY = Duration.ofMillis(2);

    private final World world;
    private final Function<RecordId, Optional<RecordSnapshot>> records;
    private final Deque<QueueMessage> ready = new ArrayDeque<>();
    private final List<QueueConnection> connections = new ArrayList<>();
    private long numbers;

    /** @param records read the record of a message when it is acknowledged */
    QueueBroker(World world, Function<RecordId, Optional<RecordSnapshot>> records) {
        this.world = world;
        this.records = records;
    }

    @Override
    public CompletableFuture<Boolean> publish(String key) {
        return new Publishing(world).publish(key, this::arrive);
    }

    private void arrive(String key) {
        QueueMessage message = new QueueMessage(++numbers, key);
        world.trace("queue: " + message + " arrives");
        world.history().count("messages");
        ready.add(message);
        dispatch();
    }

    @Override
    public boolean isEmpty() {
        return ready.isEmpty() && connections.stream().allMatch(QueueConnection::isIdle);
    }

    @Override
    public void consume(Worker worker) {
        QueueConnection connection = new QueueConnection(world, this, worker);
        connections.add(connection);
        connection.start();
        dispatch();
    }

    /** Delivers messages to connections that have capacity. */
    void dispatch() {
        while (!ready.isEmpty()) {
            List<QueueConnection> takers =
                    connections.stream().filter(QueueConnection::mayTake).toList();
            if (takers.isEmpty()) {
                return;
            }
            takers.get(world.random().nextInt(takers.size())).deliver(ready.remove());
        }
    }

    @Override
    public void disturb() {
        if (!connections.isEmpty()) {
            connections.get(world.random().nextInt(connections.size())).cut();
        }
    }

    /** Removes the connection of a process that has died. */
    void forget(QueueConnection connection) {
        connections.remove(connection);
        dispatch();
    }

    void acknowledged(QueueMessage message, String attempt) {
        world.trace("queue: " + message + " is acknowledged");
        world.log().acknowledged(message.key(), attempt);
        world.history()
                .acknowledged(message.key(), records.apply(world.setup().flaw().consumersRecord(message.key())));
        dispatch();
    }

    void returned(QueueMessage message, boolean counts) {
        message.returned(counts);
        world.trace("queue: " + message + " comes back; " + message.returns() + " returns counted");
        if (message.returns() > LIMIT) {
            deadLetter(message, "over the delivery limit");
        } else {
            ready.addFirst(message);
        }
        dispatch();
    }

    void deadLetter(QueueMessage message, String why) {
        world.trace("queue: " + message + " is a dead letter: " + why);
        world.history().deadLettered(message.key(), why);
        dispatch();
    }

    long way() {
        return world.about(WAY);
    }

    boolean countsHandedBack() {
        return world.setup().countsReturns();
    }

    @Override
    public String toString() {
        return "queue of " + Names.CONSUMER;
    }
}
