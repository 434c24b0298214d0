package io.idem.consumer.internal.call;

import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.RetryRequestedException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.DeliveryDecisions;
import io.idem.consumer.internal.delivery.DeliveryFacts;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.consumer.internal.outage.StoreOutage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the engine's outcome into the decision for the delivery hook and the value for the container. */
record CallAnswers(ListenerDefinition listener, Delivery delivery, ListenerWork work, ListenerRuntime runtime) {

    private static final Logger LOG = LoggerFactory.getLogger(CallAnswers.class);

    /** Returns the answers of another attempt at the same call. */
    CallAnswers of(Delivery attempt, ListenerWork itsWork) {
        return new CallAnswers(listener, attempt, itsWork, runtime);
    }

    @Nullable Object answer(Outcome<Optional<Object>> outcome) throws Throwable {
        runtime.outages().decided(listener.scope(), delivery.message(), false);
        DeliveryDecision decision = DeliveryDecisions.of(facts(), outcome);
        delivery.decide(decision);
        if (decision instanceof DeliveryDecision.Failed) {
            throw work.rejection().orElseGet(() -> new RetryRequestedException(listener.scope()));
        }
        return outcome instanceof Outcome.Replayed<Optional<Object>> replayed
                ? duplicate(replayed)
                : returned(decision, outcome);
    }

    /** Tries to record an effect for as long as its delivery may be held. Blocks. */
    Outcome<Optional<Object>> recorded(Outcome<Optional<Object>> outcome) {
        return delivery.hold(runtime.settings().hold()).recorded(outcome);
    }

    private DeliveryFacts facts() {
        Optional<DeliveryFacts.Attempt> attempt = work.started()
                ? Optional.of(new DeliveryFacts.Attempt(
                        work.attempt(),
                        work.retryAfter(),
                        delivery.handedBack(),
                        listener.mayRetry() || work.isNotNow(),
                        work.rejection().isPresent()))
                : Optional.empty();
        return new DeliveryFacts(
                listener.scope(), listener.policy().lease(), attempt, attempts -> delivery.lastFailure());
    }

    private @Nullable Object duplicate(Outcome.Replayed<Optional<Object>> replayed) {
        LOG.debug("{} is a duplicate for scope \"{}\" and does not run", delivery, listener.scope());
        runtime.events()
                .publish(new ConsumerEvent.Duplicate(
                        listener.scope(), delivery.message().transport()));
        return work.decode(replayed.result());
    }

    /** Returns the value for the container: null for a deferred message and for a dead letter. */
    private static @Nullable Object returned(DeliveryDecision decision, Outcome<Optional<Object>> outcome) {
        boolean toContainer =
                decision instanceof DeliveryDecision.Ran || decision instanceof DeliveryDecision.HandedBack;
        return toContainer && outcome instanceof Outcome.Ran<Optional<Object>> ran
                ? ran.value().orElse(null)
                : null;
    }

    @Nullable Object storeSilent(StoreUnavailableException silent) {
        StoreOutage outage = runtime.outages().refused(listener.scope(), delivery.message(), silent);
        delivery.decide(DeliveryDecisions.unanswered(listener.scope(), silent, outage));
        return null;
    }

    /** Decides without asking the store: a question for every message would only cost time while it is silent. */
    @Nullable Object away(StoreOutage outage) {
        delivery.decide(DeliveryDecisions.unasked(listener.scope(), outage));
        return null;
    }

    /**
     * Decides about a record that is not idem's, or a newer version's: the work must not run, or has run and cannot be
     * undone.
     */
    @Nullable Object unreadable(UnreadableRecordException unreadable) {
        LOG.error("{}", unreadable.getMessage());
        delivery.decide(DeliveryDecisions.unreadable(listener.scope(), work.finished()));
        return null;
    }

    @Nullable Object rolledBack(String why) {
        delivery.decide(DeliveryDecisions.rolledBack(listener.scope(), why));
        return null;
    }
}
