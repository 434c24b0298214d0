package io.idem.servers;

import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.Waiting;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server as an own process, which keeps its address when it is started again. */
final class ServerProcess implements Lifecycle {

    /** Time limit of a start. Generous, because a busy machine has taken eight times as long as an idle one. */
    private static final Duration READY_WITHIN = ChildJvm.LONGEST_START;

    private final String name;
    private final Supplier<OwnProcess> launch;
    private final Predicate<OwnProcess> ready;
    private final String politeSignal;
    private final Runnable cleanUp;
    private @Nullable OwnProcess process;

    /**
     * Creates a description of a server; starts nothing.
     *
     * @param ready returns whether the started process serves clients
     * @param politeSignal signal by which this server ends in an orderly way
     * @param cleanUp removes the server's files
     */
    ServerProcess(
            String name,
            Supplier<OwnProcess> launch,
            Predicate<OwnProcess> ready,
            String politeSignal,
            Runnable cleanUp) {
        this.name = name;
        this.launch = launch;
        this.ready = ready;
        this.politeSignal = politeSignal;
        this.cleanUp = cleanUp;
    }

    @Override
    public boolean controllable() {
        return true;
    }

    @Override
    public synchronized OptionalLong pid() {
        return isRunning() ? OptionalLong.of(current().pid()) : OptionalLong.empty();
    }

    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        OwnProcess started = launch.get();
        process = started;
        // Asked no more once it was ready: a busy machine may miss the short time limit of a later question.
        boolean over = Waiting.until(READY_WITHIN, () -> !started.isAlive() || ready.test(started));
        if (!over || !started.isAlive()) {
            String output = started.lastOutput();
            started.kill();
            throw new IllegalStateException(name + " did not become ready. It said:\n" + output);
        }
    }

    @Override
    public synchronized void stop() {
        if (isRunning()) {
            current().signal("CONT");
            current().end(politeSignal);
        }
    }

    @Override
    public synchronized void kill() {
        // A process of the server that outlives it for a moment could still hold resources of its successor.
        current().killWithDescendants();
    }

    @Override
    public synchronized void freeze() {
        current().signal("STOP");
    }

    @Override
    public synchronized void thaw() {
        current().signal("CONT");
    }

    @Override
    public synchronized void close() {
        stop();
        cleanUp.run();
    }

    private boolean isRunning() {
        return process != null && process.isAlive();
    }

    private OwnProcess current() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }
}
