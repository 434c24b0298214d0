package io.idem.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RetryingIdempotencyStoreTest {

    private static final Duration BUDGET = Duration.ofSeconds(3);
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));
    private static final AcquireRequest REQUEST = new AcquireRequest(
            RECORD,
            OwnerToken.random(new SecureRandom()),
            Duration.ofSeconds(30),
            Duration.ofHours(1),
            Fingerprint.NONE,
            0,
            0);

    private final AtomicLong nanos = new AtomicLong();
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private final List<@Nullable Object> calls = new ArrayList<>();
    private final IdempotencyStore memory = new InMemoryIdempotencyStore();
    private final IdempotencyStore retrying = new RetryingIdempotencyStore(
            failing(memory), new RetrySettings(BUDGET, Duration.ofMillis(1), Duration.ofMillis(1)), nanos::get);

    /** Notes the first argument of each call, then throws the next failure if there is one left. */
    private IdempotencyStore failing(IdempotencyStore store) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("blockingThreads")) {
                        return store.blockingThreads();
                    }
                    Object first = arguments == null ? null : arguments[0];
                    calls.add(first instanceof List<?> requests ? requests.get(0) : first);
                    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                    RuntimeException failure = failures.poll();
                    if (failure != null) {
                        throw failure;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static StoreUnavailableException unavailable(Execution execution) {
        return new StoreUnavailableException("away", execution, new IllegalStateException());
    }

    @AfterEach
    void noThreadStaysInterrupted() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anAcquireIsRepeatedWithTheSameOwnerToken() {
        failures.add(unavailable(Execution.UNKNOWN));
        failures.add(unavailable(Execution.NOT_EXECUTED));

        assertThat(retrying.acquire(REQUEST)).isInstanceOf(Claim.Granted.class);
        assertThat(calls).containsExactly(REQUEST, REQUEST, REQUEST);
    }

    static Stream<Consumer<IdempotencyStore>> repeatedCalls() {
        Lease lease = new Lease(RECORD, REQUEST.owner(), 1, 1, Duration.ofSeconds(30), Duration.ofHours(1));
        return Stream.of(
                store -> store.complete(lease, StoredResult.NONE),
                store -> store.fail(lease, Duration.ZERO),
                store -> store.reject(lease, "reason"),
                store -> store.reopen(RECORD, 1, Duration.ofHours(1)),
                store -> store.inspect(RECORD),
                store -> store.inspectAll(RECORD.key()),
                store -> store.announce(RECORD.scope()));
    }

    @ParameterizedTest
    @MethodSource("repeatedCalls")
    void everyCallButRenewAndCloseIsRepeated(Consumer<IdempotencyStore> call) {
        failures.add(unavailable(Execution.UNKNOWN));

        call.accept(retrying);

        assertThat(calls).hasSize(2);
        assertThat(calls.get(1)).isSameAs(calls.get(0));
    }

    @Test
    void aRenewalIsLeftToTheHeartbeat() {
        failures.add(unavailable(Execution.UNKNOWN));
        Lease lease = new Lease(RECORD, REQUEST.owner(), 1, 1, Duration.ofSeconds(30), Duration.ofHours(1));

        assertThatThrownBy(() -> retrying.renew(lease)).isInstanceOf(StoreUnavailableException.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void anAnswerIsNeverRepeated() {
        memory.acquire(new AcquireRequest(
                RECORD,
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));

        assertThat(retrying.acquire(REQUEST)).isInstanceOf(Claim.InProgress.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void anotherExceptionIsPassedOnAtOnce() {
        failures.add(new UnreadableRecordException(RECORD, "5 bytes"));

        assertThatThrownBy(() -> retrying.acquire(REQUEST)).isInstanceOf(UnreadableRecordException.class);
        assertThat(calls).hasSize(1);
    }

    @Test
    void noRepetitionStartsAfterTheBudget() {
        for (int i = 0; i < 10; i++) {
            failures.add(unavailable(Execution.NOT_EXECUTED));
        }

        assertThatThrownBy(() -> retrying.acquire(REQUEST)).isInstanceOf(StoreUnavailableException.class);
        assertThat(calls).as("calls of a second each in a budget of three").hasSize(3);
    }

    @Test
    void aCallOfWhichOneTryMayHaveBeenExecutedIsUnknownAsAWhole() {
        failures.add(unavailable(Execution.UNKNOWN));
        failures.add(unavailable(Execution.NOT_EXECUTED));
        failures.add(unavailable(Execution.NOT_EXECUTED));

        assertThatThrownBy(() -> retrying.acquire(REQUEST))
                .extracting("execution")
                .isEqualTo(Execution.UNKNOWN);
    }

    @Test
    void anInterruptEndsTheRepetitionsAndStaysVisible() {
        failures.add(unavailable(Execution.UNKNOWN));
        Duration pause = Duration.ofHours(1);
        IdempotencyStore slow =
                new RetryingIdempotencyStore(failing(memory), new RetrySettings(BUDGET, pause, pause), nanos::get);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> slow.acquire(REQUEST))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unknown -> assertThat(unknown.execution()).isEqualTo(Execution.UNKNOWN));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(calls).hasSize(1);
    }

    @Test
    void everyAnswerIsTheStoresOwn() {
        retrying.announce(RECORD.scope());
        Claim.Granted granted = (Claim.Granted) retrying.acquire(REQUEST);
        assertThat(retrying.renew(granted.lease())).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(retrying.inspect(RECORD)).isEqualTo(memory.inspect(RECORD)).isPresent();
        assertThat(retrying.inspectAll(RECORD.key()))
                .isEqualTo(memory.inspectAll(RECORD.key()))
                .isNotEmpty();
        assertThat(retrying.fail(granted.lease(), Duration.ZERO)).isInstanceOf(StoreAnswer.Ok.class);

        Lease second = ((Claim.Granted) retrying.acquire(REQUEST)).lease();
        assertThat(retrying.reject(second, "reason")).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(retrying.complete(second, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(retrying.reopen(RECORD, second.fence(), Duration.ofHours(1))).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(retrying.erase(RECORD)).isEqualTo(memory.erase(RECORD));
    }

    @Test
    void closingItClosesTheStore() {
        retrying.close();

        assertThat(calls).hasSize(1);
    }
}
