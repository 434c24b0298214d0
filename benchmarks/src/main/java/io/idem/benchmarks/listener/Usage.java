package io.idem.benchmarks.listener;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What this JVM has used so far: the listener and its clients, not Redis and not the broker. Threads that have ended do not count in
 * {@code allocated}.
 *
 * @param nanos of the clock
 * @param cpuNanos of all its threads
 * @param allocated bytes
 */
record Usage(long nanos, long cpuNanos, long allocated) {

    static Usage now() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .sum();
        return new Usage(System.nanoTime(), system.getProcessCpuTime(), allocated);
    }

    Usage since(Usage before) {
        return new Usage(nanos - before.nanos, cpuNanos - before.cpuNanos, allocated - before.allocated);
    }
}
