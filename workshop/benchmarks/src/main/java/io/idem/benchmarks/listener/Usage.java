package io.idem.benchmarks.listener;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The time, CPU and memory that the live threads of this JVM have used so far: the listener and its clients, without
 * Redis, the broker, the compiler and the collector. Threads that have ended are not included.
 *
 * @param nanos the clock in nanoseconds
 * @param cpuNanos the CPU time of all threads
 * @param allocated the allocated bytes
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
