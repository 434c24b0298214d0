package io.idem.servers;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * A server that accepts clients until it is stopped. Thread-safe; every method blocks until done.
 *
 * <p>A server that is {@linkplain #controllable() controllable} listens on the loopback address only and ends with this
 * JVM at the latest, even if the JVM is killed. Other servers were given or run in a container, and their methods stop,
 * start, kill, freeze and thaw throw {@link UnsupportedOperationException}.
 */
public abstract sealed class RunningServer implements AutoCloseable
        permits RunningRedis, RunningAmqp, RunningKafka, RunningDatabase, RunningZooKeeper {

    private final Origin origin;
    private final Lifecycle lifecycle;

    RunningServer(Origin origin, Lifecycle lifecycle) {
        this.origin = origin;
        this.lifecycle = lifecycle;
    }

    /** Returns the origin that was chosen. */
    public Origin origin() {
        return origin;
    }

    /** Returns the product and the address, without credentials. */
    public abstract String description();

    /** Returns whether the server is an own process, which this JVM may stop and kill. */
    public boolean controllable() {
        return lifecycle.controllable();
    }

    /** Returns the process id of an own server that runs. */
    public OptionalLong pid() {
        return lifecycle.pid();
    }

    /** Starts the server again at the same address; returns when it accepts clients. Does nothing while it runs. */
    public void start() {
        lifecycle.start();
    }

    /** Ends the server in an orderly way. Does nothing if it has ended already. */
    public void stop() {
        lifecycle.stop();
    }

    /** Kills the server with SIGKILL. */
    public void kill() {
        lifecycle.kill();
    }

    /** Stops the server with SIGSTOP: connections stay open, but nothing is answered. */
    public void freeze() {
        lifecycle.freeze();
    }

    /** Resumes the server with SIGCONT after {@link #freeze()}. */
    public void thaw() {
        lifecycle.thaw();
    }

    /** Ends an own server for good and removes its data; leaves a given server alone. */
    @Override
    public void close() {
        lifecycle.close();
    }

    /** Returns the description and the origin, for reports. */
    @Override
    public String toString() {
        return description() + " (" + origin.name().toLowerCase(Locale.ROOT) + ")";
    }
}
