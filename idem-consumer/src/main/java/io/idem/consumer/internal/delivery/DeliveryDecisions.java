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
    public static <T> DeliveryDecision of(DeliveryFacts facts, Outcome<T> outcome) {
        return outcome.match(new Table<>(facts));
    }

    /** Decides on a message whose durable effect could not be recorded: never a failure. */
    public static DeliveryDecision unrecorded(DeliveryFacts facts, Object why) {
        return new DeliveryDecision.Defer(
                facts.scope(), facts.lease(), "its effect is durable but could not be recorded: " + why);
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

    private record Table<T>(DeliveryFacts facts) implements Outcome.Cases<T, DeliveryDecision> {

        @Override
        public DeliveryDecision executed(Outcome.Executed<T> outcome) {
            return new DeliveryDecision.Ran();
        }

        @Override
        public DeliveryDecision superseded(Outcome.Superseded<T> outcome) {
            return new DeliveryDecision.Ran();
        }

        @Override
        public DeliveryDecision unrecorded(Outcome.Unrecorded<T> outcome) {
            return DeliveryDecisions.unrecorded(facts, outcome.why());
        }

        /**
         * Decides on a released key. Where the next attempt comes with another message, this one is done; without a
         * limit of attempts the container has to end the retry.
         */
        @Override
        public DeliveryDecision released(Outcome.Released<T> outcome) {
            if (outcome.again()) {
                return new DeliveryDecision.Ran();
            }
            if (facts.attempt().filter(Attempt::handedBack).isPresent()) {
                return new DeliveryDecision.HandedBack();
            }
            return facts.attempt().filter(attempt -> !attempt.mayRetry()).isPresent()
                    ? new DeliveryDecision.Failed(Optional.empty())
                    : defer(
                            facts.attempt().map(Attempt::retryAfter).orElse(Duration.ZERO),
                            "its attempt took no effect and another one follows");
        }

        @Override
        public DeliveryDecision rejectedNow(Outcome.RejectedNow<T> outcome) {
            DeliveryDecision.DeadLetter dead =
                    dead(outcome.reason(), facts.attempt().map(Attempt::number).orElse(0));
            return facts.attempt().filter(Attempt::threw).isPresent()
                    ? new DeliveryDecision.Failed(Optional.of(dead))
                    : dead;
        }

        @Override
        public DeliveryDecision replayed(Outcome.Replayed<T> outcome) {
            return new DeliveryDecision.Duplicate();
        }

        @Override
        public DeliveryDecision inProgress(Outcome.InProgress<T> outcome) {
            return defer(
                    outcome.retryAfter(),
                    facts.attempt().isPresent()
                            ? "its attempt ended with its outcome unknown"
                            : "another owner holds the lease");
        }

        @Override
        public DeliveryDecision notYet(Outcome.NotYet<T> outcome) {
            return defer(outcome.retryAfter(), "its last attempt asked for a delay");
        }

        @Override
        public DeliveryDecision mismatch(Outcome.Mismatch<T> outcome) {
            return dead("its key was used before with another payload", 0);
        }

        @Override
        public DeliveryDecision rejected(Outcome.Rejected<T> outcome) {
            return dead("its record is rejected: " + outcome.reason(), 0);
        }

        @Override
        public DeliveryDecision exhausted(Outcome.Exhausted<T> outcome) {
            int attempts = outcome.attempts();
            String lastFailure = facts.lastFailure()
                    .apply(attempts)
                    .map(failure -> "; the last one failed with " + failure)
                    .orElse("");
            return dead("all " + attempts + " attempts are used up" + lastFailure, attempts);
        }

        private DeliveryDecision.Defer defer(Duration retryAfter, String why) {
            return new DeliveryDecision.Defer(facts.scope(), retryAfter, why);
        }

        private DeliveryDecision.DeadLetter dead(String reason, int attempts) {
            return new DeliveryDecision.DeadLetter(facts.scope(), reason, attempts);
        }
    }
}
