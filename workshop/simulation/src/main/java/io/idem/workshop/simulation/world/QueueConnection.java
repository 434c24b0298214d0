package io.idem.workshop.simulation.world;

import io.idem.workshop.simulation.kernel.Kernel;
import io.idem.workshop.simulation.kernel.Machine;
import io.idem.workshop.simulation.kernel.Waker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The channel of a worker to the queue, with the threads of its listener container. */
final class QueueConnection {

    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final Duration NOTICED = Duration.ofMillis(500);

    private final World world;
    private final Kernel kernel;
    private final QueueBroker broker;
    private final Worker worker;
    private final Machine machine;
    private final Map<Long, QueueMessage> unacknowledged = new LinkedHashMap<>();
    private final Deque<Delivered> buffer = new ArrayDeque<>();
    private final List<Waker> waiting = new ArrayList<>();
    private long tags;
    private boolean gone;

    QueueConnection(World world, QueueBroker broker, Worker worker) {
        this.world = world;
        this.kernel = world.kernel();
        this.broker = broker;
        this.worker = worker;
        this.machine = worker.machine();
    }

    void start() {
        for (int i = 0; i < world.setup().threads(); i++) {
            kernel.after(0, machine, this::listen);
        }
        kernel.soon(0, world.outside(), this::watch);
    }

    /** Closes the connection soon after its process has died. A process that only stands still keeps its connection. */
    private void watch() {
        if (machine.dead()) {
            gone = true;
            takeBack();
            broker.forget(this);
        } else {
            kernel.soon(world.about(NOTICED), world.outside(), this::watch);
        }
    }

    boolean mayTake() {
        Setup setup = world.setup();
        return !gone && unacknowledged.size() < setup.prefetch() * setup.threads();
    }

    boolean isIdle() {
        return unacknowledged.isEmpty();
    }

    void deliver(QueueMessage message) {
        long tag = ++tags;
        unacknowledged.put(tag, message);
        kernel.soon(broker.way(), machine, () -> {
            buffer.add(new Delivered(tag, message));
            waiting.forEach(Waker::run);
        });
    }

    /** Breaks the connection and restores it at once. Earlier delivery tags become invalid. */
    void cut() {
        world.trace(machine + " loses its connection to the broker");
        buffer.clear();
        takeBack();
    }

    private void takeBack() {
        List<QueueMessage> back = new ArrayList<>(unacknowledged.values());
        unacknowledged.clear();
        for (int i = back.size() - 1; i >= 0; i--) {
            broker.returned(back.get(i), true);
        }
    }

    private void listen() {
        while (true) {
            Delivered next = take();
            world.step("delivered " + next.message);
            world.attempts().begin();
            try {
                worker.deliver(next);
            } finally {
                world.attempts().end();
            }
        }
    }

    private Delivered take() {
        while (buffer.isEmpty()) {
            try (Waker waker = kernel.waker()) {
                waiting.add(waker);
                kernel.sleep(LOOK.toNanos());
                waiting.remove(waker);
            }
        }
        return buffer.remove();
    }

    /** A message as delivered to a process. */
    final class Delivered {

        private final long tag;
        private final QueueMessage message;

        Delivered(long tag, QueueMessage message) {
            this.tag = tag;
            this.message = message;
        }

        QueueMessage message() {
            return message;
        }

        long tag() {
            return tag;
        }

        void acknowledge() {
            String attempt = world.attempts().current();
            settle("acknowledge", () -> broker.acknowledged(message, attempt));
        }

        /** Hands the message back for another delivery. */
        void handBack() {
            settle("hand back", () -> broker.returned(message, broker.countsHandedBack()));
        }

        /** Rejects the message, so that the dead-letter policy of the queue applies. */
        void giveUp() {
            settle("give up", () -> broker.deadLetter(message, "rejected"));
        }

        private void settle(String how, Runnable atTheBroker) {
            world.step("before " + how + " " + message);
            kernel.soon(broker.way(), world.outside(), () -> {
                if (unacknowledged.remove(tag) != null) {
                    atTheBroker.run();
                }
            });
            world.step("after " + how + " " + message);
        }
    }
}
