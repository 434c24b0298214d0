package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.RefusedWorkException;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.MapInbox;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.InvalidIsolationLevelException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.TransactionSuspensionNotSupportedException;

/** A refusal of the inbox while the work runs is not the message's fault: the container is to be stopped. */
class RefusedInInboxTest extends DecidingFixture {

    static class Payments {

        Callable<@Nullable Object> work = () -> null;

        @IdempotentListener(scope = "payments", inbox = true, rejectOn = RuntimeException.class)
        void pay() throws Exception {
            work.call();
        }

        @IdempotentListener(scope = "plain")
        void payWithoutInbox() throws Exception {
            work.call();
        }
    }

    private final Payments target = new Payments();

    static Stream<RuntimeException> refusals() {
        return Stream.of(
                new RefusedWorkException("asked for REQUIRES_NEW"),
                new IllegalStateException("audit failed", new RefusedWorkException("asked for NOT_SUPPORTED")),
                new IllegalTransactionStateException("Existing transaction found for 'never'"),
                new IllegalStateException("wrapped", new InvalidIsolationLevelException("SERIALIZABLE")),
                new NestedTransactionNotSupportedException("JpaDialect does not support savepoints"),
                new TransactionSuspensionNotSupportedException("no suspension"),
                new NoTransactionException("No transaction aspect-managed TransactionStatus in scope"));
    }

    private DeliveryDecision.Stop stopped() throws Exception {
        Payments payments = guarded(target);
        DeliveryDecision decision = deliver(FakeMessage.withKey("k1"), () -> {
            payments.pay();
            return null;
        });
        assertThat(decision).isInstanceOf(DeliveryDecision.Stop.class);
        return (DeliveryDecision.Stop) decision;
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalStopsTheContainerAndLeavesTheKeyFree(RuntimeException refusal) throws Exception {
        inbox = MapInbox.observedBy(effect -> {});
        target.work = () -> {
            throw refusal;
        };

        String reason = String.valueOf(stopped().refusal().getMessage());

        Throwable cause = refusal.getCause() == null ? refusal : refusal.getCause();
        assertThat(reason).contains(String.valueOf(cause.getMessage()));
        assertThat(record("k1", "payments").state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aRefusalOfACallbackBeforeTheCommitStopsTheContainerToo() throws Exception {
        inbox = MapInbox.observedBy(effect -> {
            throw new RefusedWorkException("a callback asked for REQUIRES_NEW");
        });

        assertThat(stopped().refusal()).hasMessageContaining("a callback asked for REQUIRES_NEW");
        assertThat(record("k1", "payments").state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void outsideOfAnInboxSpringsRefusalIsAFailureOfTheMessage() throws Exception {
        Payments payments = guarded(target);
        target.work = () -> {
            throw new IllegalTransactionStateException("No existing transaction found for 'mandatory'");
        };

        DeliveryDecision decision = deliver(FakeMessage.withKey("k1"), () -> {
            payments.payWithoutInbox();
            return null;
        });

        assertThat(decision).isInstanceOf(DeliveryDecision.Failed.class);
    }
}
