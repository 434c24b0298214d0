package io.idem.consumer.internal.delivery;

import io.idem.IdempotencyException;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.consumer.MissingKeyException;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.delivery.DeliveryFacts.Attempt;
import io.idem.consumer.internal.outage.StoreOutage;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides about a delivery by the state of its key. Pure: no I/O, no events, no logs. Used for single messages and for
 * each message of a batch, in synchronous, asynchronous, manual and transacted calls.
 */
public final class DeliveryDecisions {

    /** Number of messages in a call of the listener. */
    public enum Mode {
        /** A single message: an exception about it can pass to the container, whose error handling sees it. */
        SINGLE,
        /** Many messages: an exception would concern all of them. */
        BATCH
    }

    private DeliveryDecisions() {}

    /** Decides by the outcome, after an effect that is not recorded was held as long as its call allows. */
    public static DeliveryDecision of(DeliveryFacts facts, Outcome<?> outcome) {
        return switch (outcome.end()) {
            case EXECUTED, SUPERSEDED -> new DeliveryDecision.Ran();
            case UNRECORDED -> unrecorded(facts, ((Outcome.Unrecorded<?>) outcome).why());
            case RELEASED -> released(facts, (Outcome.Released<?>) outcome);
            case REJECTED_NOW -> rejectedNow(facts, (Outcome.RejectedNow<?>) outcome);
            case REPLAYED -> new DeliveryDecision.Duplicate();
            case IN_PROGRESS ->
                defer(
                        facts,
                        ((Outcome.InProgress<?>) outcome).retryAfter(),
                        facts.attempt().isPresent()
                                ? "its attempt ended with its outcome unknown"
                                : "another owner holds the lease");
            case NOT_YET ->
                defer(facts, ((Outcome.NotYet<?>) outcome).retryAfter(), "its last attempt asked for a delay");
            case MISMATCH -> dead(facts, "its key was used before with another payload", 0);
            case REJECTED -> dead(facts, "its record is rejected: " + ((Outcome.Rejected<?>) outcome).reason(), 0);
            case EXHAUSTED -> exhausted(facts, ((Outcome.Exhausted<?>) outcome).attempts());
        };
    }

    /** Decides on a message whose durable effect could not be recorded: never a failure. */
    public static DeliveryDecision unrecorded(DeliveryFacts facts, Object why) {
        return defer(facts, facts.lease(), "its effect is durable but could not be recorded: " + why);
    }

    /** Decides on a message whose work the store did not take. */
    public static DeliveryDecision unanswered(Scope scope, StoreUnavailableException silent, StoreOutage outage) {
        return away(scope, "the store does not take its work: " + silent.getMessage(), outage);
    }

    /** Decides on a message for which the store is not asked, because an outage lasts. */
    public static DeliveryDecision unasked(Scope scope, StoreOutage outage) {
        return away(scope, "the store has not answered since before", outage);
    }

    /** Decides on a message whose record idem cannot read. */
    public static DeliveryDecision unreadable(Scope scope, boolean workFinished) {
        return workFinished
                ? new DeliveryDecision.Ran()
                : new DeliveryDecision.Defer(scope, Duration.ZERO, "its record cannot be read");
    }

    /** Decides on a message whose container rolls its transaction back. */
    public static DeliveryDecision rolledBack(Scope scope, String why) {
        return new DeliveryDecision.Defer(
                scope, Duration.ZERO, why + "; its transaction is rolled back and the message comes again");
    }

    /** Decides on a message without a key; empty if it is to run without protection. */
    public static Optional<DeliveryDecision> withoutKey(
            MissingKeyPolicy policy, Scope scope, MissingKeyException missing, Mode mode) {
        return switch (policy) {
            case DEAD_LETTER -> Optional.of(unusableKey(scope, missing, mode));
            case ACKNOWLEDGE -> Optional.of(new DeliveryDecision.Skipped());
            case RUN_UNGUARDED -> Optional.empty();
        };
    }

    /**
     * Decides on a message whose key is missing or invalid, which no redelivery changes. The exception about a single
     * message goes on to the container; the message becomes a dead letter if the container does not take it over.
     */
    public static DeliveryDecision unusableKey(Scope scope, IdempotencyException failure, Mode mode) {
        DeliveryDecision.DeadLetter dead =
                new DeliveryDecision.DeadLetter(scope, String.valueOf(failure.getMessage()), 0);
        return mode == Mode.BATCH ? dead : new DeliveryDecision.Failed(Optional.of(dead));
    }

    private static DeliveryDecision away(Scope scope, String why, StoreOutage outage) {
        return new DeliveryDecision.Defer(scope, Duration.ZERO, why, Optional.of(outage));
    }

    /**
     * Decides on a released key. Where the next attempt comes with another message, this one is done; without a limit
     * of attempts the container has to end the retry.
     */
    private static DeliveryDecision released(DeliveryFacts facts, Outcome.Released<?> outcome) {
        if (outcome.again()) {
            return new DeliveryDecision.Ran();
        }
        if (facts.attempt().filter(Attempt::handedBack).isPresent()) {
            return new DeliveryDecision.HandedBack();
        }
        return facts.attempt().filter(attempt -> !attempt.mayRetry()).isPresent()
                ? new DeliveryDecision.Failed(Optional.empty())
                : defer(
                        facts,
                        facts.attempt().map(Attempt::retryAfter).orElse(Duration.ZERO),
                        "its attempt took no effect and another one follows");
    }

    private static DeliveryDecision rejectedNow(DeliveryFacts facts, Outcome.RejectedNow<?> outcome) {
        DeliveryDecision.DeadLetter dead = dead(
                facts, outcome.reason(), facts.attempt().map(Attempt::number).orElse(0));
        return facts.attempt().filter(Attempt::threw).isPresent()
                ? new DeliveryDecision.Failed(Optional.of(dead))
                : dead;
    }

    private static DeliveryDecision exhausted(DeliveryFacts facts, int attempts) {
        String lastFailure = facts.lastFailure()
                .apply(attempts)
                .map(failure -> "; the last one failed with " + failure)
                .orElse("");
        return dead(facts, "all " + attempts + " attempts are used up" + lastFailure, attempts);
    }

    private static DeliveryDecision.Defer defer(DeliveryFacts facts, Duration retryAfter, String why) {
        return new DeliveryDecision.Defer(facts.scope(), retryAfter, why);
    }

    private static DeliveryDecision.DeadLetter dead(DeliveryFacts facts, String reason, int attempts) {
        return new DeliveryDecision.DeadLetter(facts.scope(), reason, attempts);
    }
}
