package io.idem.consumer.internal.call;

import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.RetryRequestedException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.outage.StoreOutage;
import io.idem.consumer.internal.outage.StoreOutages;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the engine's outcome into the decision for the delivery hook and the value for the container. */
record CallAnswers(
        ListenerDefinition listener,
        Delivery delivery,
        ListenerWork work,
        ConsumerEvents events,
        StoreOutages outages) {

    private static final Logger LOG = LoggerFactory.getLogger(CallAnswers.class);

    @Nullable Object answer(Outcome<Optional<Object>> outcome) throws Throwable {
        outages.answered(listener.scope());
        return outcome instanceof Outcome.NotRun<Optional<Object>> notRun
                ? notRun(notRun)
                : ran((Outcome.Ran<Optional<Object>>) outcome);
    }

    private @Nullable Object ran(Outcome.Ran<Optional<Object>> outcome) throws Throwable {
        if (outcome instanceof Outcome.Unrecorded<Optional<Object>> open) {
            return defer(listener.policy().lease(), "its effect is durable but could not be recorded: " + open.why());
        }
        if (outcome instanceof Outcome.RejectedNow<Optional<Object>> rejected) {
            return rejectedNow(rejected.reason());
        }
        if (outcome instanceof Outcome.Released && !delivery.handedBack()) {
            return retry();
        }
        decide(outcome instanceof Outcome.Released ? new DeliveryDecision.HandedBack() : new DeliveryDecision.Ran());
        return outcome.value().orElse(null);
    }

    /** Without a count of attempts the container has to end the retry. */
    private @Nullable Object retry() {
        if (!listener.mayRetry()) {
            decide(new DeliveryDecision.Failed(Optional.empty()));
            throw new RetryRequestedException(listener.scope());
        }
        return defer(work.retryAfter(), "its attempt took no effect and another one follows");
    }

    private @Nullable Object rejectedNow(String reason) throws Throwable {
        DeliveryDecision.DeadLetter dead = new DeliveryDecision.DeadLetter(listener.scope(), reason, work.attempt());
        Optional<Throwable> failure = work.rejection();
        if (failure.isEmpty()) {
            decide(dead);
            return null;
        }
        decide(new DeliveryDecision.Failed(Optional.of(dead)));
        throw failure.get();
    }

    private @Nullable Object notRun(Outcome.NotRun<Optional<Object>> outcome) {
        if (outcome instanceof Outcome.Replayed<Optional<Object>> replayed) {
            LOG.debug("{} is a duplicate for scope \"{}\" and does not run", delivery.message(), listener.scope());
            events.publish(new ConsumerEvent.Duplicate(
                    listener.scope(), delivery.message().transport()));
            decide(new DeliveryDecision.Duplicate());
            return work.decode(replayed.result());
        }
        if (outcome instanceof Outcome.InProgress<Optional<Object>> inProgress) {
            return defer(
                    inProgress.retryAfter(),
                    work.started() ? "its attempt ended with its outcome unknown" : "another owner holds the lease");
        }
        if (outcome instanceof Outcome.NotYet<Optional<Object>> notYet) {
            return defer(notYet.retryAfter(), "its last attempt asked for a delay");
        }
        return deadLetter(outcome);
    }

    private @Nullable Object deadLetter(Outcome.NotRun<Optional<Object>> outcome) {
        if (outcome instanceof Outcome.Rejected<Optional<Object>> rejected) {
            return deadLetter("its record is rejected: " + rejected.reason(), 0);
        }
        if (outcome instanceof Outcome.Exhausted<Optional<Object>> exhausted) {
            return deadLetter(
                    DeliveryDecision.DeadLetter.usedUp(exhausted.attempts(), delivery.lastFailure()),
                    exhausted.attempts());
        }
        return deadLetter("its key was used before with another payload", 0);
    }

    @Nullable Object storeSilent(StoreUnavailableException silent) {
        StoreOutage outage = outages.silent(listener.scope(), delivery.message().transport());
        return away(outage, "the store does not answer: " + silent.getMessage());
    }

    /** The store was silent a moment ago: asking it for every message would only cost time. */
    @Nullable Object away(StoreOutage outage, String why) {
        decide(new DeliveryDecision.Defer(listener.scope(), Duration.ZERO, why, Optional.of(outage)));
        return null;
    }

    /** What lies under the record's name is not idem's: the work must not run, or has run and cannot be undone. */
    @Nullable Object unreadable(UnreadableRecordException unreadable) {
        LOG.error("{}", unreadable.getMessage());
        if (work.finished()) {
            decide(new DeliveryDecision.Ran());
            return null;
        }
        return defer(Duration.ZERO, "its record cannot be read");
    }

    private @Nullable Object defer(Duration retryAfter, String why) {
        decide(new DeliveryDecision.Defer(listener.scope(), retryAfter, why));
        return null;
    }

    private @Nullable Object deadLetter(String reason, int attempts) {
        decide(new DeliveryDecision.DeadLetter(listener.scope(), reason, attempts));
        return null;
    }

    private void decide(DeliveryDecision decision) {
        delivery.decide(decision);
    }
}
