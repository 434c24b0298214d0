package io.idem.benchmarks.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads, looked up at run time because the sources are compiled for Java 17. */
final class VirtualThreads {

    private VirtualThreads() {}

    static ExecutorService executor() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException old) {
            throw new IllegalStateException("Virtual threads need JDK 21 or newer", old);
        }
    }
}
