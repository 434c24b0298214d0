package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A process that does not outlive this JVM. Runs in its own session, so that Ctrl-C in a terminal reaches only the JVM,
 * which can then stop its processes in order. Thread-safe.
 */
public final class OwnProcess {

    private static final Duration POLITE = Duration.ofSeconds(10);

    /**
     * Shell command that records its process id before it becomes the program, so that even a killed start leaves a
     * record.
     */
    private static final String RECORD_AND_BECOME = ": >\"$0/$$\" && exec \"$@\"";

    private final Process process;
    private final Path record;
    private final Path log;

    private OwnProcess(Process process, Path record, Path log) {
        this.process = process;
        this.record = record;
        this.log = log;
    }

    /**
     * Starts a program.
     *
     * @param command command line, which must name a file or directory in the run directory, by which the process is
     *     recognised
     * @param environment environment variables in addition to those of this JVM
     * @param log file of both output streams, which is appended to
     */
    public static OwnProcess start(List<String> command, Map<String, String> environment, Path log) {
        RunDirectory run = RunDirectory.ofThisJvm();
        if (command.stream().noneMatch(word -> word.contains(run.path() + "/"))) {
            throw new IllegalArgumentException("The command line must name a file in the run directory: " + command);
        }
        ProcessBuilder builder = new ProcessBuilder(recorded(run, command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            return new OwnProcess(process, run.pids().resolve(Long.toString(process.pid())), log);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + command.get(0), e);
        }
    }

    private static List<String> recorded(RunDirectory run, List<String> command) {
        List<String> words = new ArrayList<>();
        Programs.find("setsid").ifPresent(setsid -> words.add(setsid.toString()));
        words.addAll(List.of("sh", "-c", RECORD_AND_BECOME, run.pids().toString()));
        words.addAll(command);
        return words;
    }

    /** Returns the process id, also after the end of the process. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the process still runs; a stopped (SIGSTOP) one counts as running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Returns a future of the exit code. It does not need the common pool, as {@link Process#onExit()} does: since Java
     * 25 that has one thread on a machine with two processors, which a test may hold while it waits for the end.
     */
    public CompletableFuture<Integer> onExit() {
        return CompletableFuture.supplyAsync(this::exitCode, task -> {
            Thread waiting = new Thread(task, "end of process " + process.pid());
            waiting.setDaemon(true);
            waiting.start();
        });
    }

    private int exitCode() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sends a signal, without waiting for its effect. */
    public boolean signal(String name) {
        return process.isAlive() && Signals.send(process.pid(), name);
    }

    /** Ends the process with the signal, and with SIGKILL after ten seconds. Returns when it is gone. */
    public void end(String politeSignal) {
        if (signal(politeSignal) && !Waiting.until(POLITE, () -> !process.isAlive())) {
            process.destroyForcibly();
        }
        awaitEnd();
    }

    /** Kills the process with SIGKILL. Returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Kills the process and all processes it started with SIGKILL. Returns when they are gone. */
    public void killWithDescendants() {
        List<ProcessHandle> descendants = process.descendants().toList();
        kill();
        for (ProcessHandle descendant : descendants) {
            descendant.destroyForcibly();
            descendant.onExit().join();
        }
    }

    private void awaitEnd() {
        exitCode();
        try {
            Files.deleteIfExists(record);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot forget process " + process.pid(), e);
        }
    }

    /** Returns the end of the output, for error messages. */
    public String lastOutput() {
        try {
            String all = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
            return all.substring(Math.max(0, all.length() - 2000)).strip();
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }
}
