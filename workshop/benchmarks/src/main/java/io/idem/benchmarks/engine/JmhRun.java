package io.idem.benchmarks.engine;

import io.idem.benchmarks.Parts;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Mode;

/**
 * A measurement by JMH in its own JVM.
 *
 * @param name the name of its figures
 * @param benchmark the class and method
 * @param parameters the parameters of the benchmark
 * @param mode {@link Mode#SampleTime} for latency, {@link Mode#Throughput} for throughput
 * @param threads the number of callers
 * @param java the java program, if not that of this JVM
 */
record JmhRun(
        String name, String benchmark, Map<String, String> parameters, Mode mode, int threads, Optional<String> java)
        implements Parts.Part {

    static JmhRun latency(String name, Class<?> type, String method, Map<String, String> parameters) {
        return new JmhRun(name, type.getName() + "." + method, parameters, Mode.SampleTime, 1, Optional.empty());
    }

    static JmhRun throughput(String name, Class<?> type, String method, Map<String, String> parameters, int threads) {
        return new JmhRun(name, type.getName() + "." + method, parameters, Mode.Throughput, threads, Optional.empty());
    }

    JmhRun on(Optional<String> otherJava) {
        return new JmhRun(name, benchmark, parameters, mode, threads, otherJava);
    }
}
