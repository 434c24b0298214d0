package io.idem.internal;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that do not keep a process alive. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Returns a factory whose threads all have this name. */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        };
    }

    /** Returns a factory whose threads are numbered from 1 behind this prefix. */
    public static ThreadFactory numbered(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> named(prefix + number.incrementAndGet()).newThread(task);
    }
}
