package io.idem.demo.supervisor;

import io.idem.demo.consumer.ConsumerApplication;
import io.idem.servers.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A consumer process that may be killed, by the demo or by anybody who knows its number, and is started again under the same name. One that
 * ends by itself stays away: it would do so again. Thread-safe.
 */
final class Worker implements AutoCloseable {

    /** The highest exit code of a process that was not ended by a signal. */
    private static final int NO_SIGNAL = 128;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String name;
    private final Map<String, String> settings;
    private final Path log;
    private @Nullable ChildJvm process;
    private boolean closed;
    private boolean failed;
    private int kills;

    /** Describes a worker without starting it. {@code profiles} choose its listeners. */
    Worker(String name, String profiles, Map<String, String> settings, Path logs) {
        this.name = name;
        this.log = logs.resolve(name + ".log");
        this.settings = new LinkedHashMap<>(settings);
        this.settings.put("demo.worker", name);
        this.settings.put("demo.pause-at-commit", "true");
        this.settings.put("spring.profiles.active", profiles);
        // A static member: after a kill its successor gets the same partitions back without waiting for a time-out.
        this.settings.put("spring.kafka.consumer.properties[group.instance.id]", name);
    }

    String name() {
        return name;
    }

    Path log() {
        return log;
    }

    /** Forgets what earlier runs of the demo have logged. */
    void clearLog() {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException("The log " + log + " cannot be begun", e);
        }
    }

    synchronized void start() {
        if (closed) {
            return;
        }
        // Settings go through the environment: unlike a command line, others cannot read it.
        ChildJvm started = ChildJvm.of(ConsumerApplication.class.getName())
                .named(name)
                .jvmArguments("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:MetaspaceSize=128m")
                .environment("SPRING_APPLICATION_JSON", JSON.writeValueAsString(settings))
                .start(log);
        process = started;
        var unused = started.onExit().thenAccept(code -> ended(started, code));
    }

    private synchronized void ended(ChildJvm one, int code) {
        if (process != one || closed) {
            return;
        }
        if (code > NO_SIGNAL) {
            kills++;
            start();
        } else {
            failed = true;
        }
    }

    synchronized long pid() {
        return running().pid();
    }

    synchronized boolean isStarted() {
        return process != null;
    }

    synchronized boolean isAlive() {
        return running().isAlive();
    }

    /** Returns whether the process has ended by itself and is not restarted. */
    synchronized boolean hasFailed() {
        return failed;
    }

    /** Returns how often the process was killed, by the plan or by a visitor. */
    synchronized int kills() {
        return kills;
    }

    /** SIGKILL, and a successor at once. */
    synchronized void replace() {
        running().kill9();
        kills++;
        start();
    }

    private ChildJvm running() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            process.close();
        }
    }
}
