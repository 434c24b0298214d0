package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.KeyInProgressException;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
