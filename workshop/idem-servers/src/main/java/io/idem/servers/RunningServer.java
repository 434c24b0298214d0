package io.idem.servers;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * A server that accepts clients, or did so until somebody stopped it. Thread-safe; every method blocks until done.
 *
 * <p>A server that is {@linkplain #controllable() controllable} listens on the loopback address only and ends with this JVM
 * at the latest, however that ends. The others were given, or run in a container: stop, start, kill, freeze and thaw throw
 * {@link UnsupportedOperationException} there.
 */
public abstract sealed class RunningServer implements AutoCloseable
        permits RunningRedis, RunningAmqp, RunningKafka, RunningDatabase {

    private final Origin origin;
    private final Lifecycle lifecycle;

    RunningServer(Origin origin, Lifecycle lifecycle) {
        this.origin = origin;
        this.lifecycle = lifecycle;
    }

    /** Which choice was taken. */
    public Origin origin() {
        return origin;
    }

    /** What it is and where it listens, without credentials. */
    public abstract String description();

    /** Whether it is an own process, which this JVM may stop and kill. */
    public boolean controllable() {
        return lifecycle.controllable();
    }

    /** The number of its process while it is an own one and runs. */
    public OptionalLong pid() {
        return lifecycle.pid();
    }

    /** Starts it again at the same address; returns when it accepts clients. Does nothing while it runs. */
    public void start() {
        lifecycle.start();
    }

    /** Ends it in its orderly way. Does nothing when it has ended already. */
    public void stop() {
        lifecycle.stop();
    }

    /** SIGKILL. */
    public void kill() {
        lifecycle.kill();
    }

    /** SIGSTOP: connections stay open, nothing answers any more. */
    public void freeze() {
        lifecycle.freeze();
    }

    /** SIGCONT: the end of {@link #freeze()}. */
    public void thaw() {
        lifecycle.thaw();
    }

    /** Ends it for good and removes its data, if it is ours; a given server is left alone. */
    @Override
    public void close() {
        lifecycle.close();
    }

    /** Description and origin: for reports. */
    @Override
    public String toString() {
        return description() + " (" + origin.name().toLowerCase(Locale.ROOT) + ")";
    }
}
