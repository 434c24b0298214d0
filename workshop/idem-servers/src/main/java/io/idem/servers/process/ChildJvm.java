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
 * A child JVM with the Java version and class path of this one, which does not outlive this JVM. Thread-safe.
 *
 * <p>The child runs in its own session, so Ctrl-C in a terminal does not reach it. A main class that calls
 * {@link ParentWatch#haltWithParent()} halts by itself when this JVM is gone; every child is killed two seconds later.
 */
public final class ChildJvm implements AutoCloseable {

    /**
     * Maximum time until a child reports that it is up, or until it ends. The limit only catches hanging processes: on
     * a machine shared by several builds, a start of a few seconds has taken minutes, and no test result may depend on
     * that.
     */
    public static final Duration LONGEST_START = Duration.ofMinutes(15);

    private final OwnProcess process;
    private final Path log;

    private ChildJvm(OwnProcess process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Returns the description of a child with this main class; starts nothing. */
    public static Launch of(String mainClass) {
        return new Launch(mainClass);
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process still runs; a stopped (SIGSTOP) one counts as running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns a future of the exit code: 128 + n if signal n ended the process. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit();
    }

    /**
     * Waits for the end, however slow the machine is, and returns the exit code.
     *
     * @throws IllegalStateException if the process hangs; it is killed then
     */
    public int awaitEnd() {
        if (!Waiting.until(LONGEST_START, () -> !isAlive())) {
            kill9();
            throw new IllegalStateException("Process " + pid() + " did not end:\n" + lastOutput());
        }
        return onExit().join();
    }

    /** Returns the file of both output streams. */
    public Path log() {
        return log;
    }

    /** Returns the end of the output, at most 2000 characters. */
    public String lastOutput() {
        return process.lastOutput();
    }

    /** Kills the process with SIGKILL, without shutdown hooks or finally blocks. Returns when it is gone. */
    public void kill9() {
        process.kill();
    }

    /** Stops the process with SIGSTOP: its connections stay open, but it does nothing. */
    public void sigstop() {
        process.signal("STOP");
    }

    /** Resumes the process with SIGCONT; it does not notice that time has passed. */
    public void sigcont() {
        process.signal("CONT");
    }

    /**
     * Ends the process with SIGTERM, so that shutdown hooks run, and with SIGKILL after ten seconds. Returns when it is
     * gone.
     */
    @Override
    public void close() {
        sigcont();
        process.end("TERM");
    }

    /** Returns the underlying process, for callers that treat all kinds of children alike. */
    public OwnProcess process() {
        return process;
    }

    /** The description of a child. May start several children. Not thread-safe. */
    public static final class Launch {

        private final String mainClass;
        private final List<String> jvmArguments = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private String name = "jvm";

        private Launch(String mainClass) {
            this.mainClass = mainClass;
        }

        /** Sets the name used for the directory and the log, which is "jvm" by default. */
        public Launch named(String newName) {
            name = newName;
            return this;
        }

        /** Adds options for the JVM, such as {@code -Xmx64m} or {@code -Dname=value}, or another class path. */
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

        /** Starts a child with a log in a directory that is deleted with this JVM. */
        public ChildJvm start() {
            Path directory = RunDirectory.ofThisJvm().newDirectory(name);
            return start(directory, directory.resolve(name + ".log"));
        }

        /** Starts a child with a log that is appended to and kept. */
        public ChildJvm start(Path log) {
            return start(RunDirectory.ofThisJvm().newDirectory(name), log);
        }

        private ChildJvm start(Path directory, Path log) {
            List<String> options = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
            options.addAll(HugePages.jvmArguments());
            options.addAll(jvmArguments);
            options.add(
                    "-D" + ParentWatch.PARENT + "=" + ProcessHandle.current().pid());
            options.add(mainClass);
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
