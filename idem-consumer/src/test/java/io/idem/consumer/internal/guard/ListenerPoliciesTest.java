package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AttemptPolicy;
import io.idem.Backoff;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.PolicyOverrides;
import io.idem.Reconciliation;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.TakeoverPolicy;
import io.idem.UnknownOutcome;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a listener's policy makes of failures, results and takeovers. */
@ExtendWith(OutputCaptureExtension.class)
class ListenerPoliciesTest extends DecidingFixture {

    private final Listeners target = new Listeners();

    /** Does what the test says. */
    static class Listeners {

        private Callable<@Nullable Object> work = () -> "done";
        private int calls;

        private @Nullable Object run() throws Exception {
            calls++;
            return work.call();
        }

        @IdempotentListener(
                scope = "picky",
                rejectOn = {IOException.class, IllegalArgumentException.class},
                retryOn = FileNotFoundException.class)
        @Nullable Object picky() throws Exception {
            return run();
        }

        @IdempotentListener(scope = "backing-off", backoff = "10s", longestBackoff = "1m", maxAttempts = "2")
        @Nullable Object backingOff() throws Exception {
            return run();
        }

        @IdempotentListener(
                scope = "judged",
                rejectIf = "#result?.startsWith('declined')",
                retryIf = "#result == null",
                maxAttempts = "3")
        @Nullable Object judged() throws Exception {
            return run();
        }

        @IdempotentListener(scope = "misjudged", rejectIf = "#result.nothing.here")
        @Nullable Object misjudged() throws Exception {
            return run();
        }

        @IdempotentListener(
                scope = "listed",
                rejectIf = "#result.get(0) == 'x'",
                retryIf = "#result.get(1) == 'x'",
                maxAttempts = "3")
        @Nullable Object listed() throws Exception {
            return run();
        }

        @IdempotentListener(scope = "rejecting", takeover = "reject")
        @Nullable Object rejecting() throws Exception {
            return run();
        }

        @IdempotentListener(scope = "asking", takeover = "reconcile", reconciler = "provider")
        @Nullable Object asking(Map<String, Object> order) throws Exception {
            return run();
        }

        @IdempotentListener(scope = "plain")
        @Nullable Object plain() throws Exception {
            return run();
        }

        @IdempotentListener(scope = "endless", backoff = "10s")
        void endless() {}

        @IdempotentListener(scope = "endless", retryIf = "true")
        void endlessByResult() {}

        @IdempotentListener(scope = "unclear", rejectOn = IOException.class, retryOn = IOException.class)
        void unclear() {}

        @IdempotentListener(scope = "unknown", takeover = "reconcile", reconciler = "nobody")
        void unknownReconciler() {}

        @IdempotentListener(scope = "odd", takeover = "perhaps")
        void oddTakeover() {}

        @IdempotentListener(
                scope = "own",
                lease = "5s",
                retention = "2h",
                takeover = "rerun",
                interruptOnLostLease = "true")
        void own() {}

        @IdempotentListener(
                scope = "forgetful",
                backoff = "1s",
                longestBackoff = "2h",
                retention = "1h",
                maxAttempts = "2")
        void forgetful() {}
    }

    private DeliveryDecision deliver(String key, CurrentDelivery.HandOver call) throws Exception {
        return deliver(FakeMessage.withKey(key), call);
    }

    private void failWith(Exception failure) {
        target.work = () -> {
            throw failure;
        };
    }

    @Test
    void aFinalFailureThatIsACauseMakesADeadLetter() throws Exception {
        failWith(new IllegalStateException(new IOException("no such account")));

        assertThat(deliver("k", guarded(target)::picky))
                .isInstanceOfSatisfying(
                        DeliveryDecision.Failed.class,
                        failed -> assertThat(failed.rejection()).isPresent());
        assertThat(record("k", "picky").state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void theMoreSpecificRuleLetsAFailureBeRetriedByTheContainer() throws Exception {
        failWith(new FileNotFoundException("not there yet"));

        assertThat(deliver("k", guarded(target)::picky))
                .isInstanceOfSatisfying(
                        DeliveryDecision.Failed.class,
                        failed -> assertThat(failed.rejection()).isEmpty());
        assertThat(record("k", "picky").state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aBackoffDefersEachFailureAndTheLastOneIsDeadLettered(CapturedOutput output) throws Exception {
        Listeners guarded = guarded(target);
        failWith(new IOException("away"));

        assertThat(deliver("k", guarded::backingOff))
                .isInstanceOfSatisfying(
                        DeliveryDecision.Defer.class,
                        defer -> assertThat(defer.retryAfter())
                                .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10)));
        assertThat(deliver("k", guarded::backingOff)).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(target.calls).isEqualTo(1);
        clock.moveAhead(Duration.ofSeconds(10));
        assertThat(deliver("k", guarded::backingOff))
                .isInstanceOfSatisfying(
                        DeliveryDecision.Defer.class,
                        last -> assertThat(last.retryAfter()).isZero());
        assertThat(output).contains("failed; it was the last one").doesNotContain("due in PT0S");

        assertThat(deliver("k", guarded::backingOff))
                .isInstanceOfSatisfying(
                        DeliveryDecision.DeadLetter.class,
                        dead -> assertThat(dead.reason()).contains("all 2 attempts are used up"));
        assertThat(target.calls).isEqualTo(2);
    }

    @Test
    void theDeadLetterOfTheLastAttemptSaysHowThatFailed() throws Throwable {
        Listeners guarded = guarded(target);
        failWith(new IOException("away"));
        deliver("k", guarded::backingOff);
        clock.moveAhead(Duration.ofSeconds(10));
        Delivery last = new Delivery(FakeMessage.withKey("k"));
        CurrentDelivery.callWith(last, handOver(guarded));
        last.reset();

        CurrentDelivery.callWith(last, handOver(guarded));

        assertThat(last.decision())
                .contains(new DeliveryDecision.DeadLetter(
                        new Scope("backing-off"),
                        "all 2 attempts are used up; the last one failed with java.io.IOException: away",
                        2));
    }

    private static CurrentDelivery.HandOver handOver(Listeners guarded) {
        return () -> {
            guarded.backingOff();
            return null;
        };
    }

    @Test
    void withABackoffAnAttemptThatSucceedsLaterIsAcknowledged() throws Exception {
        Listeners guarded = guarded(target);
        failWith(new IOException("away"));
        deliver("k", guarded::backingOff);
        clock.moveAhead(Duration.ofSeconds(10));
        target.work = () -> "done";

        assertThat(deliver("k", guarded::backingOff)).isEqualTo(new DeliveryDecision.Ran());
        assertThat(record("k", "backing-off").attempts()).isEqualTo(2);
    }

    @Test
    void whereIdemIsSwitchedOffFailuresAreLeftToTheContainer() throws Exception {
        switchedOff = true;
        failWith(new IOException("away"));
        assertThat(deliver("k", guarded(target)::backingOff)).isInstanceOf(DeliveryDecision.Failed.class);

        target.work = () -> null;
        assertThat(deliver("k", guarded(target)::judged)).isInstanceOf(DeliveryDecision.Failed.class);
    }

    @Test
    void aResultMayBeFinal() throws Exception {
        target.work = () -> "declined by the bank";

        assertThat(deliver("k", guarded(target)::judged)).isInstanceOf(DeliveryDecision.DeadLetter.class);
        assertThat(record("k", "judged").state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void aResultMayAskForAnotherAttempt() throws Exception {
        Listeners guarded = guarded(target);
        target.work = () -> null;
        assertThat(deliver("k", guarded::judged)).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(record("k", "judged").state()).isEqualTo(RecordState.FAILED);
        target.work = () -> "charged";

        assertThat(deliver("k", guarded::judged)).isEqualTo(new DeliveryDecision.Ran());
        assertThat(deliver("k", guarded::judged)).isEqualTo(new DeliveryDecision.Duplicate());
    }

    @Test
    void anExpressionThatFailsDoesNotMakeCommittedWorkAFailure() throws Exception {
        assertThat(deliver("k", guarded(target)::misjudged)).isEqualTo(new DeliveryDecision.Ran());
    }

    @Test
    void aMethodThatThrowsInsideAnExpressionDoesNotMakeCommittedWorkAFailure() throws Exception {
        Listeners guarded = guarded(target);
        target.work = List::of;

        assertThat(deliver("k", guarded::listed)).isEqualTo(new DeliveryDecision.Ran());
        assertThat(record("k", "listed").state()).isEqualTo(RecordState.COMPLETED);
        assertThat(deliver("k", guarded::listed)).isEqualTo(new DeliveryDecision.Duplicate());
        assertThat(target.calls).isEqualTo(1);
    }

    @Test
    void anUnknownOutcomeMayBeRejectedForAPersonAndRunOnceReopened() throws Exception {
        Listeners guarded = guarded(target);
        dyingOwner("k", "rejecting");

        assertThat(deliver("k", guarded::rejecting))
                .isInstanceOfSatisfying(
                        DeliveryDecision.DeadLetter.class,
                        dead -> assertThat(dead.reason()).contains("attempt 1 is unknown"));
        assertThat(target.calls).isZero();

        memory.reopen(
                new RecordId(IdempotencyKey.of("k"), new Scope("rejecting")),
                record("k", "rejecting").fence(),
                Duration.ofHours(1));
        assertThat(deliver("k", guarded::rejecting)).isEqualTo(new DeliveryDecision.Ran());
    }

    @Test
    void anUnknownOutcomeMayBeAskedAboutWithTheMessageAtHand() throws Exception {
        List<UnknownOutcome> questions = new ArrayList<>();
        reconcilers.put("provider", question -> {
            questions.add(question);
            return Reconciliation.done(codec.encode("charged before"));
        });
        Listeners guarded = guarded(target);
        dyingOwner("k", "asking");

        assertThat(deliver("k", () -> guarded.asking(Map.of("id", 42)))).isEqualTo(new DeliveryDecision.Duplicate());

        assertThat(target.calls).isZero();
        assertThat(record("k", "asking").state()).isEqualTo(RecordState.COMPLETED);
        assertThat(questions.get(0).payload(Map.class)).contains(Map.of("id", 42));
        assertThat(questions.get(0).payload(String.class)).contains("the transport's own");
    }

    @Test
    void whatAReconcilerCannotTellIsDeferred() throws Exception {
        reconcilers.put("provider", question -> {
            throw new IOException("provider away");
        });
        Listeners guarded = guarded(target);
        dyingOwner("k", "asking");

        assertThat(deliver("k", () -> guarded.asking(Map.of()))).isInstanceOf(DeliveryDecision.Defer.class);
        assertThat(record("k", "asking").state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void aScopesSettingsHoldForAListenerThatSaysNothingItself() throws Exception {
        scopes.put(new Scope("plain"), settings(base -> base.withTakeover(TakeoverPolicy.reject())));

        ExecutionPolicy policy = definition(Listeners.class, "plain").policy();

        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(50));
        assertThat(policy.retention()).isEqualTo(Duration.ofDays(30));
        assertThat(policy.attempts().takeover()).isEqualTo(TakeoverPolicy.reject());
    }

    @Test
    void whatAListenerSaysItselfWinsOverItsScopesSettings() throws Exception {
        scopes.put(
                new Scope("own"),
                settings(base -> base.withTakeover(TakeoverPolicy.reject())
                        .withBackoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)))));

        ExecutionPolicy policy = definition(Listeners.class, "own").policy();

        assertThat(policy.lease()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.retention()).isEqualTo(Duration.ofHours(2));
        assertThat(policy.maxAttempts()).isEqualTo(4);
        assertThat(policy.attempts().takeover()).isEqualTo(TakeoverPolicy.rerun());
        assertThat(policy.attempts().interruptOnLostLease()).isTrue();
        assertThat(policy.attempts().backoff().longest()).isEqualTo(Duration.ofMinutes(1));
    }

    private static PolicyOverrides settings(UnaryOperator<AttemptPolicy> attempts) {
        return new PolicyOverrides(Duration.ofSeconds(50), null, null, Duration.ofDays(30), 4, attempts);
    }

    @Test
    void policiesThatCannotWorkAreNamedAtStartUp() {
        assertRefused("endless", "maxAttempts", "idem.scopes.endless.max-attempts");
        assertRefused("endlessByResult", "retryIf", "idem.scopes.endless.max-attempts");
        assertRefused("unclear", "java.io.IOException");
        assertRefused("unknownReconciler", "invalid takeover", "nobody");
        assertRefused("oddTakeover", "invalid takeover");
        assertRefused("forgetful", "backoff.longest", "retention");
    }

    private void assertRefused(String method, String... words) {
        assertThatThrownBy(() -> definition(Listeners.class, method))
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContainingAll(words);
    }
}
