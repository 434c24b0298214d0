package io.idem.consumer.internal.delivery;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.internal.DaemonThreads;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Stops the containers of listeners that cannot go on, because idem refuses a configuration or because a delivery came
 * back undecided. Logs one error for each container, notifies the application, and keeps the reasons for its health. A
 * listener counts as stopped until its container has been started again. Thread-safe.
 */
public final class ListenerStops {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerStops.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Runnable onStop;
    private final Map<Object, Stop> stops = new ConcurrentHashMap<>();

    /**
     * Begins without stops.
     *
     * @param onStop run whenever a listener is stopped; tells the application that it is not ready
     */
    public ListenerStops(Runnable onStop) {
        this.onStop = onStop;
    }

    /**
     * Stops a container from another thread, since a container waits for the thread of the delivery that is to be
     * handed back. Returns at once; does nothing for a container that is stopped already.
     */
    public void stop(SmartLifecycle container, ListenerConfigurationException why) {
        Stop stop = new Stop(why, container);
        if (isFirst(container, stop)) {
            DaemonThreads.named("idem-listener-stop").newThread(stop).start();
        }
    }

    /**
     * Stops the container of the calling thread's delivery, and waits until it takes no more messages or has been started again.
     *
     * @param stopping whether the container takes no more messages
     */
    public void stopAndWait(SmartLifecycle container, ListenerConfigurationException why, BooleanSupplier stopping) {
        stop(container, why);
        while (!stopping.getAsBoolean()
                && isStopped(container)
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Notes a listener whose container is unknown: its deliveries are held, or their thread has ended. */
    public void note(ListenerConfigurationException why) {
        isFirst(why.problem(), new Stop(why, null));
    }

    private boolean isFirst(Object what, Stop stop) {
        if (stops.compute(what, (same, before) -> before != null && before.lasts() ? before : stop) != stop) {
            return false;
        }
        LOG.error("A listener is stopped and acknowledges nothing: {}", stop.reason());
        tell();
        return true;
    }

    /** Notifies the application; a failure of this does not keep the listener from being stopped. */
    private void tell() {
        try {
            onStop.run();
        } catch (RuntimeException failed) {
            LOG.error("The application could not be told that a listener is stopped", failed);
        }
    }

    /** Returns whether a container was told to stop and has not been started again since. */
    public boolean isStopped(SmartLifecycle container) {
        Stop stop = stops.get(container);
        return stop != null && stop.lasts();
    }

    /** The reasons for which listeners are stopped, each with its remedy; empty if none is stopped. */
    public List<String> reasons() {
        return stops.values().stream()
                .filter(Stop::lasts)
                .map(Stop::reason)
                .distinct()
                .sorted()
                .toList();
    }

    private static final class Stop implements Runnable {

        private final ListenerConfigurationException why;
        private final @Nullable SmartLifecycle container;
        private volatile boolean ended;

        Stop(ListenerConfigurationException why, @Nullable SmartLifecycle container) {
            this.why = why;
            this.container = container;
        }

        @Override
        public void run() {
            try {
                Objects.requireNonNull(container).stop(() -> ended = true);
            } catch (RuntimeException failed) {
                ended = true;
                LOG.error("{} could not be stopped; it gets no message acknowledged", container, failed);
            }
        }

        boolean lasts() {
            return container == null || !ended || !container.isRunning();
        }

        String reason() {
            return Objects.requireNonNullElse(why.getMessage(), "");
        }
    }
}
