package io.idem.demo.supervisor;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Prints the progress of the demo, with the seconds since the start. Thread-safe. */
final class Progress {

    private final PrintStream out;
    private final long start = System.nanoTime();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    Progress(PrintStream out) {
        this.out = out;
    }

    /** Passes every later line to {@code listener}, too. */
    void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Prints a line. */
    void say(String format, Object... arguments) {
        if (!silent) {
            String line = String.format(Locale.ROOT, format, arguments);
            print("%6.1f s  %s%n", seconds(), line);
            listeners.forEach(listener -> listener.accept(line));
        }
    }

    /** Prints text without the time. */
    void show(String text) {
        if (!silent) {
            print("%s", text);
        }
    }

    private synchronized void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format, arguments);
        out.flush();
    }

    /** Returns the time since the start. */
    double seconds() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) / 1_000.0;
    }

    /** Drops later lines. Threads that still run while the servers stop would only report errors. */
    void silence() {
        silent = true;
    }
}
