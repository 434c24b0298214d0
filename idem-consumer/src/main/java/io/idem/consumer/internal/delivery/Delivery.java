package io.idem.consumer.internal.delivery;

import static io.idem.internal.Durations.shorter;

import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.consumer.DeliveredMessage;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A delivery of a message, from the broker's hand-over to its settlement. The delivery hook makes it and
 * {@linkplain CurrentDelivery binds} it to the thread; the deciding interceptor leaves its decision here; the hook
 * settles by the last decision. Confined to the delivering thread until it is settled.
 */
public final class Delivery {

    /** A hundred years, for transports that let a delivery be held for as long as it takes. */
    public static final Duration UNBOUNDED = Duration.ofDays(36_500);

    private final DeliveredMessage message;
    private final Duration longestHold;
    private @Nullable DeliveryDecision decision;
    private volatile @Nullable DeliveryDecision end;
    private volatile boolean handedBack;
    private boolean sawFailure;
    private volatile @Nullable String lastFailure;
    private @Nullable AsyncSettlement asyncSettlement;
    private @Nullable OwnSettlement own;
    private @Nullable ContainerTransaction transaction;
    private @Nullable Operation operation;
    private int replies;

    public Delivery(DeliveredMessage message) {
        this(message, UNBOUNDED);
    }

    /**
     * Makes a delivery without a decision.
     *
     * @param longestHold how long its thread may be held after its work, whatever {@link io.idem.consumer.ConsumerSettings#hold} says
     */
    public Delivery(DeliveredMessage message, Duration longestHold) {
        this.message = message;
        this.longestHold = longestHold;
    }

    /**
     * Begins to hold this delivery and its thread.
     *
     * @param limit for an effect that the store does not record
     */
    public RecordHold hold(Duration limit) {
        return new RecordHold(this, shorter(limit, longestHold), longestHold);
    }

    public DeliveredMessage message() {
        return message;
    }

    /** Leaves a decision; a retry inside the container replaces the one before. */
    public void decide(DeliveryDecision by) {
        decision = by;
    }

    /** The last decision; empty if no idempotent listener method was reached. */
    public Optional<DeliveryDecision> decision() {
        return Optional.ofNullable(decision);
    }

    /**
     * Notes that the listener itself handed the message back to the broker, by a negative acknowledgement of its own.
     * Then its work does not count as done, even if it returns.
     */
    public void handBack() {
        handedBack = true;
    }

    public boolean handedBack() {
        return handedBack;
    }

    /** Notes that an exception passed below the delivery hook, where an advice of the application may swallow it. */
    void seeFailure() {
        sawFailure = true;
    }

    /**
     * Returns whether an exception passed since the last {@link #reset}, even if an advice of the application swallowed
     * it.
     */
    public boolean sawFailure() {
        return sawFailure;
    }

    /** Notes the operation of the message. */
    public void identify(Operation asked) {
        operation = asked;
    }

    /**
     * Returns the headers of a reply to this delivery: the same each time that the message is answered, so that a
     * repeated reply is a duplicate for its receiver. Empty unless the work is done: a reply about a failure must not
     * pass for the result.
     */
    Optional<PropagatedHeaders> nextReply() {
        DeliveryDecision how = decision instanceof DeliveryDecision.Handed ? end : decision;
        boolean done = how instanceof DeliveryDecision.Ran || how instanceof DeliveryDecision.Duplicate;
        return Optional.ofNullable(done ? operation : null)
                .map(answered -> PropagatedHeaders.ofReply(answered, ++replies));
    }

    /**
     * Returns the headers of a reply that carries the key of the message that it answers, as one made with that message's
     * headers does: several such replies must not pass for one. Empty for every other reply, and where the scope keeps that
     * key.
     */
    Optional<PropagatedHeaders> insteadOf(DeliveredMessage reply) {
        Received answered = operation == null ? null : (Received) operation.message();
        if (answered == null || answered.keepsKey() || PropagatedHeaders.carriedKey(reply) == null) {
            return Optional.empty();
        }
        try {
            return answered.isCarriedBy(reply)
                    ? nextReply().map(next -> new PropagatedHeaders(next.key(), next.root(), answered))
                    : Optional.empty();
        } catch (InvalidKeyException unreadable) {
            return Optional.empty();
        }
    }

    /** The rejection of an earlier attempt at this very delivery. */
    public Optional<DeliveryDecision.DeadLetter> rejection() {
        return decision instanceof DeliveryDecision.Failed failed ? failed.rejection() : Optional.empty();
    }

    /** Sets the container's transaction in which the delivery is made; before the message is handed over. */
    public void within(ContainerTransaction of) {
        transaction = of;
    }

    /** The container's transaction; empty if it has none. */
    public Optional<ContainerTransaction> transaction() {
        return Optional.ofNullable(transaction);
    }

    /** Sets the settlement of work that ends after the hook has returned; before the message is handed over. */
    public void settleAsyncBy(AsyncSettlement settlement) {
        asyncSettlement = settlement;
    }

    /** The settlement of asynchronous work; empty if the hook cannot settle it. */
    public Optional<AsyncSettlement> asyncSettlement() {
        return Optional.ofNullable(asyncSettlement);
    }

    /** Sets the listener's own settlement; before the message is handed over. */
    public void settledBy(OwnSettlement listener) {
        own = listener;
    }

    /** The listener's own settlement; empty if the container settles. */
    public Optional<OwnSettlement> own() {
        return Optional.ofNullable(own);
    }

    /** Notes the failure of an attempt, for a later delivery that finds the attempts used up. */
    public void failed(Throwable by) {
        lastFailure = DeliveryDecision.DeadLetter.reason(by);
    }

    /** The failure of the last attempt that this delivery has seen; empty if it has seen none. */
    public Optional<String> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /** Notes the decision on work that was handed over as a stage; before the container's adapter learns of its end. */
    public void endedBy(DeliveryDecision how) {
        end = how;
    }

    /** Returns a copy of this delivery for a decision that comes after its hook has settled it. */
    public Delivery ended() {
        Delivery ended = new Delivery(message);
        ended.lastFailure = lastFailure;
        ended.operation = operation;
        return ended;
    }

    /** Forgets decision and hand-back before the listener gets the message once more. */
    public void reset() {
        decision = null;
        handedBack = false;
        sawFailure = false;
        replies = 0;
    }

    /** Returns the message and, once its key was read, its record: for logs. */
    @Override
    public String toString() {
        return operation == null ? message.toString() : message + " (" + operation.record() + ")";
    }
}
