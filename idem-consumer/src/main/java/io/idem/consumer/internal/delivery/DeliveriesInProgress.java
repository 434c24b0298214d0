package io.idem.consumer.internal.delivery;

import io.idem.consumer.DeliveredMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Counts the deliveries whose listeners are at work. An application that stops waits here until there are none, for as
 * long as {@code spring.lifecycle.timeout-per-shutdown-phase} allows, before the beans are closed that they need to
 * record their effects. The containers themselves wait for no longer than their shutdown timeout, and on RabbitMQ not
 * at all for a listener whose connection was lost. Thread-safe.
 */
public final class DeliveriesInProgress implements SmartLifecycle {

    private int count;
    private boolean running;
    private boolean stopped;
    private @Nullable Runnable whenNone;

    /** Counts another delivery. */
    public synchronized void begin() {
        count++;
    }

    /**
     * Counts another delivery, unless the application has stopped waiting for deliveries of its container: then it is
     * to be handed back.
     */
    public synchronized boolean begin(DeliveredMessage message) {
        if (stopped && message.stopping()) {
            return false;
        }
        count++;
        return true;
    }

    /** Ends the counting of a delivery. */
    public void end() {
        Runnable none = endOne();
        if (none != null) {
            none.run();
        }
    }

    private synchronized @Nullable Runnable endOne() {
        count--;
        Runnable none = count == 0 ? whenNone : null;
        if (none != null) {
            whenNone = null;
        }
        return none;
    }

    @Override
    public synchronized void start() {
        running = true;
        stopped = false;
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** Calls back when no delivery is in progress; does not block. */
    @Override
    public void stop(Runnable callback) {
        if (isIdleOnceStopped(callback)) {
            callback.run();
        }
    }

    private synchronized boolean isIdleOnceStopped(Runnable otherwise) {
        running = false;
        stopped = true;
        if (count > 0) {
            whenNone = otherwise;
        }
        return count == 0;
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Stopped after all containers, whatever phase they have. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
