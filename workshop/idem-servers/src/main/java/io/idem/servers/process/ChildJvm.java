package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Another JVM, with the Java version and class path of this one, that does not outlive it. Thread-safe.
 *
 * <p>It runs in a session of its own: Ctrl-C in a terminal does not reach it. A main class that calls
 * {@link ParentWatch#haltWithParent()} halts by itself when this JVM is gone; every child is killed two seconds later.
 */
public final class ChildJvm implements AutoCloseable {

    /**
     * How long a child may take to say that it is up, or to end. It bounds what hangs and nothing else: a start of a few seconds has been
     * seen to take minutes where builds share a machine, and no verdict may depend on that.
     */
    public static final Duration LONGEST_START = Duration.ofMinutes(15);

    private final OwnProcess process;
    private final Path log;

    private ChildJvm(OwnProcess process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Describes one with that main class; starts nothing yet. */
    public static Launch of(String mainClass) {
        return new Launch(mainClass);
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Whether it still runs; a stopped (SIGSTOP) one does. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Completed with the exit code when it has ended: 128 + n when signal n ended it. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit();
    }

    /**
     * Returns its exit code when it has ended, however slow the machine is.
     *
     * @throws IllegalStateException if it hangs; it is killed then
     */
    public int awaitEnd() {
        if (!Waiting.until(LONGEST_START, () -> !isAlive())) {
            kill9();
            throw new IllegalStateException("Process " + pid() + " did not end:\n" + lastOutput());
        }
        return onExit().join();
    }

    /** Where both its output streams go. */
    public Path log() {
        return log;
    }

    /** The end of what it printed, at most 2000 characters. */
    public String lastOutput() {
        return process.lastOutput();
    }

    /** SIGKILL: no shutdown hook, no finally. Returns when it is gone. */
    public void kill9() {
        process.kill();
    }

    /** SIGSTOP: it stays, with all its connections, and does nothing any more. */
    public void sigstop() {
        process.signal("STOP");
    }

    /** SIGCONT: it goes on where it was, and does not know that time has passed. */
    public void sigcont() {
        process.signal("CONT");
    }

    /** SIGTERM, so that shutdown hooks run; SIGKILL after ten seconds. Returns when it is gone. */
    @Override
    public void close() {
        sigcont();
        process.end("TERM");
    }

    /** The process below, for callers that treat all kinds of children alike. */
    public OwnProcess process() {
        return process;
    }

    /** What a child is to be. Not thread-safe; may start several children. */
    public static final class Launch {

        private final String mainClass;
        private final List<String> jvmArguments = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private String name = "jvm";

        private Launch(String mainClass) {
            this.mainClass = mainClass;
        }

        /** What its directory and log are called after; "jvm" otherwise. */
        public Launch named(String newName) {
            name = newName;
            return this;
        }

        /** Adds options for the JVM, such as {@code -Xmx64m} or {@code -Dname=value}. */
        public Launch jvmArguments(String... more) {
            jvmArguments.addAll(List.of(more));
            return this;
        }

        /** Adds arguments for the main method. */
        public Launch arguments(String... more) {
            arguments.addAll(List.of(more));
            return this;
        }

        /** Adds an environment variable to those of this JVM. */
        public Launch environment(String variable, String value) {
            environment.put(variable, value);
            return this;
        }

        /** Starts it, with a log in a directory that goes away with this JVM. */
        public ChildJvm start() {
            Path directory = RunDirectory.ofThisJvm().newDirectory(name);
            return start(directory, directory.resolve(name + ".log"));
        }

        /** Starts it, with a log that is appended to and stays. */
        public ChildJvm start(Path log) {
            return start(RunDirectory.ofThisJvm().newDirectory(name), log);
        }

        private ChildJvm start(Path directory, Path log) {
            List<String> options = new ArrayList<>(jvmArguments);
            options.add(
                    "-D" + ParentWatch.PARENT + "=" + ProcessHandle.current().pid());
            options.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
            options.addAll(arguments);
            Path argumentFile = directory.resolve("arguments");
            try {
                Files.write(argumentFile, options.stream().map(ChildJvm::quoted).toList());
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot write the arguments of " + mainClass, e);
            }
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            return new ChildJvm(OwnProcess.start(List.of(java, "@" + argumentFile), environment, log), log);
        }
    }

    private static String quoted(String word) {
        return "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
