package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.KeyInProgressException;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.WorkRejectedException;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.NotNow;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MemoryMethodsTest extends MethodContract {

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();

    @Override
    ApplicationContextRunner application() {
        return new ApplicationContextRunner().withBean(IdempotencyStore.class, () -> store);
    }

    /** As on the thread of a container: the third try finds the key free. */
    @ParameterizedTest
    @ValueSource(strings = {"count", "later"})
    void aCallWaitsWhereItsThreadMayAndRunsOnce(String scope) {
        Lease elsewhere = occupy(scope);
        AtomicInteger pauses = new AtomicInteger();
        CallWaits waits = failure -> {
            assertThat(failure)
                    .satisfiesAnyOf(
                            thrown -> assertThat(thrown).isInstanceOf(KeyInProgressException.class),
                            thrown -> assertThat(thrown).hasCauseInstanceOf(KeyInProgressException.class));
            if (pauses.incrementAndGet() == 2) {
                store.fail(elsewhere, Duration.ZERO);
            }
            return true;
        };
        with(Orders.class, Later.class).withBean(CallWaits.class, () -> waits).run(context -> {
            if (scope.equals("count")) {
                assertThat(context.getBean(Orders.class).count("k1")).isOne();
            } else {
                context.getBean(Later.class).answer().complete("answer");
                assertThat(context.getBean(Later.class).later("k1").get(5, TimeUnit.MINUTES))
                        .isEqualTo("answer");
            }
            assertThat(pauses).hasValue(2);
        });
    }

    @Test
    void aCallThatMayWaitNoLongerEndsInItsException() {
        occupy("count");
        AtomicInteger pauses = new AtomicInteger();
        CallWaits waits = failure -> pauses.incrementAndGet() < 2;
        with(Orders.class).withBean(CallWaits.class, () -> waits).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.count("k1")).isInstanceOf(KeyInProgressException.class);
            assertThat(pauses).hasValue(2);
        });
    }

    static class Chain {

        private final Orders orders;
        private final ObjectProvider<Chain> proxy;

        Chain(Orders orders, ObjectProvider<Chain> proxy) {
            this.orders = orders;
            this.proxy = proxy;
        }

        @Idempotent(scope = "middle", key = "#id", maxAttempts = 1, rejectOn = RuntimeException.class)
        int middle(String id) {
            return orders.count(id);
        }

        @Idempotent(scope = "middle-later", key = "#id", maxAttempts = 1)
        CompletableFuture<Integer> middleLater(String id) {
            return CompletableFuture.supplyAsync(() -> orders.count(id));
        }

        @Idempotent(scope = "visit", key = "#id")
        void visit(String id) {
            proxy.getObject().detour(id);
        }

        @Idempotent(scope = "detour", key = "#id")
        void detour(String id) {
            proxy.getObject().visit(id);
        }

        @Idempotent(scope = "visit-later", key = "#id")
        CompletableFuture<String> visitLater(String id) {
            return proxy.getObject().visitLater(id);
        }

        @Idempotent(scope = "visit-on", key = "#id", rejectOn = IllegalStateException.class)
        void visitOn(String id, Executor threads) {
            CompletableFuture.runAsync(() -> proxy.getObject().visitOn(id, threads), threads)
                    .join();
        }

        @Idempotent(scope = "visit-later-on", key = "#id")
        CompletableFuture<Void> visitLaterOn(String id, Executor threads) {
            return CompletableFuture.runAsync(() -> proxy.getObject().detourOn(id, threads), threads);
        }

        @Idempotent(scope = "detour-on", key = "#id")
        void detourOn(String id, Executor threads) {
            proxy.getObject().visitLaterOn(id, threads).join();
        }

        /** Waits on a thread of a pool, which runs the task of another caller meanwhile. */
        @Idempotent(scope = "helping", key = "#id")
        void help(String id, List<Throwable> failures) {
            ForkJoinTask<?> other = ForkJoinTask.adapt(() -> proxy.getObject().help(id, failures));
            other.fork();
            ForkJoinTask.helpQuiesce();
            failures.add(other.getException());
        }
    }

    @Test
    void aCallWhoseOwnCallCannotRunNowUsesUpNoAttempt() {
        Lease elsewhere = occupy("count");
        with(Orders.class, Chain.class).run(context -> {
            Chain chain = context.getBean(Chain.class);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> chain.middle("k1"))
                        .isInstanceOf(KeyInProgressException.class)
                        .hasMessageContaining("count/");
                assertThatThrownBy(() -> chain.middleLater("k1").get(5, TimeUnit.MINUTES))
                        .hasRootCauseInstanceOf(KeyInProgressException.class)
                        .hasStackTraceContaining("count/");
            }
            store.fail(elsewhere, Duration.ZERO);

            assertThat(chain.middle("k1")).isOne();
            assertThat(chain.middleLater("k1").get(5, TimeUnit.MINUTES)).isOne();
        });
    }

    @Test
    void aCallInsideItsOwnWorkFailsRatherThanWaitForItself() {
        AtomicInteger pauses = new AtomicInteger();
        CallWaits waits = failure -> pauses.incrementAndGet() < 3;
        with(Orders.class, Chain.class).withBean(CallWaits.class, () -> waits).run(context -> {
            Chain chain = context.getBean(Chain.class);
            assertThatThrownBy(() -> chain.visit("k1"))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("visit/")
                    .hasMessageContaining("inside its own work");
            assertThatThrownBy(() -> chain.visitLater("k1").join())
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("visit-later/");
            assertThat(pauses).hasValue(0);
        });
    }

    /** Under a listener it would come again for ever, as a call that cannot run now. */
    @Test
    void aCallOfItsOwnWorkFailsOnAnotherThreadToo() {
        ExecutorService threads = Executors.newCachedThreadPool();
        with(Orders.class, Chain.class).run(context -> {
            Chain chain = context.getBean(Chain.class);
            assertThatThrownBy(() -> chain.visitOn("k1", threads))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("visit-on/")
                    .hasMessageContaining("inside its own work")
                    .satisfies(failure -> assertThat(NotNow.of(failure)).isNull());
            assertThatThrownBy(() -> chain.visitOn("k1", threads)).isInstanceOf(WorkRejectedException.class);
            assertThatThrownBy(() -> chain.visitLaterOn("k1", threads).join())
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("visit-later-on/");
        });
        threads.shutdown();
    }

    /** Also on another thread to which the work's context was taken along. */
    @Test
    void aCallWithTheKeyOfTheContextAroundItFails() {
        with(Orders.class).run(context -> {
            Operation operation = Operation.of(
                    IdempotencyKey.of("k1"),
                    new Scope("count"),
                    ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(1)));
            assertThatThrownBy(() -> context.getBean(IdempotentExecutor.class).execute(operation, work -> {
                        assertThatThrownBy(() -> context.getBean(Orders.class).count("k1"))
                                .isExactlyInstanceOf(IllegalStateException.class);
                        throw new IllegalStateException("seen");
                    }))
                    .hasMessage("seen");
            assertThat(context.getBean(Orders.class).count("k1")).as("later").isOne();
        });
    }

    @Test
    void aTaskThatAWaitingThreadRunsMeanwhileIsNotTakenForItsWork() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        with(Orders.class, Chain.class).run(context -> {
            Chain chain = context.getBean(Chain.class);
            pool.submit(() -> chain.help("k1", failures)).get(5, TimeUnit.MINUTES);
            assertThat(failures)
                    .singleElement()
                    .satisfies(failure -> assertThat(NotNow.of(failure)).isNotNull());
            chain.help("k1", failures);
            assertThat(failures).hasSize(1);
        });
        pool.shutdown();
    }

    private Lease occupy(String scope) {
        return ((Claim.Granted) store.acquire(new AcquireRequest(
                        new RecordId(IdempotencyKey.of("k1"), new Scope(scope)),
                        OwnerToken.random(new SecureRandom()),
                        Duration.ofMinutes(5),
                        Duration.ofDays(1),
                        Fingerprint.NONE,
                        0,
                        0)))
                .lease();
    }
}
