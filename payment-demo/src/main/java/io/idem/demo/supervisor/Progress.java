package io.idem.demo.supervisor;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Says what is going on, with the seconds since the start. Thread-safe. */
final class Progress {

    private final PrintStream out;
    private final long start = System.nanoTime();
    private volatile boolean silent;

    Progress(PrintStream out) {
        this.out = out;
    }

    /** One line. */
    void say(String format, Object... arguments) {
        if (!silent) {
            print("%6.1f s  %s%n", seconds(), String.format(Locale.ROOT, format, arguments));
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
