package io.idem.test.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.process.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A process that works on assignments; see {@link StepWorkerMain}. */
final class StepWorker implements AutoCloseable {

    /** Short, because each attempt after a kill waits for its end; no verdict depends on it. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(20);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name;
    private final Provider provider;
    private final ChildJvm process;

    private StepWorker(String name, Provider provider, ChildJvm process) {
        this.name = name;
        this.provider = provider;
        this.process = process;
    }

    static StepWorker start(Provider provider, StepServer server, List<Assignment> assignments) {
        String name = "steps-" + NUMBER.incrementAndGet();
        ChildJvm process = ChildJvm.of(StepWorkerMain.class.getName())
                .named(name)
                .jvmArguments("-Xmx256m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
                .arguments(name, Integer.toString(provider.port()), Long.toString(LEASE.toMillis()), server.address())
                .arguments(assignments.stream().map(Assignment::text).toArray(String[]::new))
                .start();
        return new StepWorker(name, provider, process);
    }

    boolean isStopped(String key) {
        return provider.isStopped(name, key);
    }

    boolean isSettled(String key) {
        return provider.isSettled(name, key);
    }

    void release(String key) {
        provider.release(name, key);
    }

    /** Returns when all of these keys are stopped or settled, however slow the machine is. */
    void awaitEach(List<String> keys) {
        awaitUntil(() -> keys.stream().allMatch(key -> isStopped(key) || isSettled(key)), keys);
    }

    /** Returns when the key is stopped, however slow the machine is. */
    void awaitStopped(String key) {
        awaitUntil(() -> isStopped(key), List.of(key));
    }

    /** Returns when the key is settled, however slow the machine is. */
    void awaitSettled(String key) {
        awaitUntil(() -> isSettled(key), List.of(key));
    }

    /** Returns when an attempt of this process has ended without a decision. */
    void awaitDeferred(String key) {
        awaitUntil(
                () -> provider.book(key).deferred().stream().anyMatch(how -> how.startsWith(name + " ")), List.of(key));
    }

    private void awaitUntil(BooleanSupplier reached, List<String> keys) {
        await().atMost(ChildJvm.LONGEST_START)
                .pollInterval(POLL)
                .until(() -> reached.getAsBoolean() || !process.isAlive());
        assertThat(reached.getAsBoolean())
                .as("process %s is alive and goes on with %s:\n%s", name, keys, process.lastOutput())
                .isTrue();
    }

    void kill9() {
        process.kill9();
    }

    void sigstop() {
        process.sigstop();
    }

    void sigcont() {
        process.sigcont();
    }

    @Override
    public void close() {
        process.kill9();
    }
}
