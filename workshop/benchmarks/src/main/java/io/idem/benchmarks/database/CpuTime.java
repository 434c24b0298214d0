package io.idem.benchmarks.database;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The CPU time of this JVM and of servers with all their processes.
 *
 * @param servers the processes that were started as servers
 */
record CpuTime(Set<Long> servers) {

    /** Returns the nanoseconds used so far by processes that still run. */
    long nanos() {
        OperatingSystemMXBean jvm = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return jvm.getProcessCpuTime()
                + servers.stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .flatMap(server -> Stream.concat(Stream.of(server), server.descendants()))
                        .flatMap(process -> process.info().totalCpuDuration().stream())
                        .mapToLong(Duration::toNanos)
                        .sum();
    }
}
