package io.idem.demo.supervisor;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Says what is going on, with the seconds since the start. Thread-safe. */
final class Progress {

    private final PrintStream out;
    private final long start = System.nanoTime();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    Progress(PrintStream out) {
        this.out = out;
    }

    /** Tells {@code listener}, too, of every line from now on. */
    void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** One line. */
    void say(String format, Object... arguments) {
        if (!silent) {
            String line = String.format(Locale.ROOT, format, arguments);
            print("%6.1f s  %s%n", seconds(), line);
            listeners.forEach(listener -> listener.accept(line));
        }
    }

    /** Text that stands by itself. */
    void show(String text) {
        if (!silent) {
            print("%s", text);
        }
    }

    private synchronized void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format, arguments);
        out.flush();
    }

    /** Since the start. */
    double seconds() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) / 1_000.0;
    }

    /** Nothing is worth saying any more: everything is being stopped under the feet of whoever still speaks. */
    void silence() {
        silent = true;
    }
}
