package io.idem.benchmarks.listener;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What the threads of this JVM have used so far: the listener and its clients, without Redis and the broker, the compiler and the
 * collector. Threads that have ended do not count.
 *
 * @param nanos of the clock
 * @param cpuNanos of all threads
 * @param allocated bytes
 */
record Usage(long nanos, long cpuNanos, long allocated) {

    static Usage now() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] all = threads.getAllThreadIds();
        return new Usage(
                System.nanoTime(),
                Arrays.stream(threads.getThreadCpuTime(all)).sum(),
                Arrays.stream(threads.getThreadAllocatedBytes(all)).sum());
    }

    Usage since(Usage before) {
        return new Usage(nanos - before.nanos, cpuNanos - before.cpuNanos, allocated - before.allocated);
    }
}
