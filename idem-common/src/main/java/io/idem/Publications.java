package io.idem;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one attempt publishes. Gives each message its key, and either tracks its confirmation or keeps the
 * message until after the commit. Thread-safe. Keys by ordinal are the same in every attempt only if the work publishes
 * in a stable order.
 */
public final class Publications {

    private static final int NEVER = -1;

    private final Operation operation;
    private final IdempotencyKey key;
    private final Map<String, Integer> ordinals = new HashMap<>();
    private final List<Publication> tracked = new ArrayList<>();
    private final List<OutgoingMessage> kept = new ArrayList<>();
    private final @Nullable String step;
    private boolean firstCarriesKey;
    private boolean keeping;
    private boolean written;
    private boolean committed;
    private int again = NEVER;
    private int first = NEVER;
    /** Whether the attempt's own key was given to the message that comes next. */
    private boolean ownKeyIsOut;

    private volatile boolean handedBack;

    /**
     * Creates the publications of one attempt at an operation.
     *
     * @param key the operation's key, as the attempt was granted
     */
    public Publications(Operation of, IdempotencyKey key) {
        this(of, key, null, of.intake());
    }

    private Publications(Operation of, IdempotencyKey key, @Nullable String step, boolean firstCarriesKey) {
        this.operation = of;
        this.key = key;
        this.step = step;
        this.firstCarriesKey = firstCarriesKey;
    }

    /**
     * Returns the publications of a step of this attempt. Calls to other services get keys of their own per step, so
     * that a step that is not repeated does not change the keys of later calls. Messages are refused with
     * {@link IllegalStateException}: in a later attempt the step is not repeated, and a message that was not confirmed
     * would be lost.
     *
     * @param stepKey the derived key of the step
     * @param id the id of the step
     */
    public Publications ofStep(String stepKey, String id) {
        return new Publications(operation, new IdempotencyKey(key.tenant(), stepKey), id, false);
    }

    /**
     * Refuses publications of a step. Called by a transport before it sends a message that it will {@link #track}.
     *
     * @throws IllegalStateException if these are the publications of a step
     */
    public void requireNoStep() {
        if (step != null) {
            throw new IllegalStateException(
                    "Step \"" + step + "\" published a message, which would be lost if the attempt"
                            + " ended before its confirmation, because a later attempt does not repeat the step; publish it in the"
                            + " work, after the step");
        }
    }

    /** Returns the message whose delivery is the work, as {@link Operation#message()} has it; null if there is none. */
    public @Nullable Object message() {
        return operation.message();
    }

    /** Returns the origin key: the client's key at which the trace of keys begins. */
    public String root() {
        return operation.root();
    }

    /**
     * Returns the key of the next message to a destination: the attempt's own key, or one derived from the message's
     * ordinal there.
     */
    public synchronized IdempotencyKey nextKey(String destination) {
        requireNoStep();
        if (firstCarriesKey) {
            firstCarriesKey = false;
            ownKeyIsOut = true;
            return key;
        }
        ownKeyIsOut = false;
        return derive(key.parent().value(), destination, ordinal(destination));
    }

    /**
     * Returns the key of the next call to another service, derived from the ordinal of the call. An intake's own key is
     * never used for a call, but left for its first message. The tenant is part of the derived key, since calls do not
     * carry it as messages do; two tenants thus never send one key.
     */
    public synchronized IdempotencyKey nextCallKey(String destination) {
        return derive(key.parent().id(), destination, ordinal(destination));
    }

    /**
     * Returns the key of a call to another service that the caller named. The same name gives the same key in every
     * attempt.
     */
    public IdempotencyKey namedCallKey(String destination, String name) {
        return derive(key.parent().id(), destination, name);
    }

    /** Returns the key of a message that the caller named. The same name gives the same key in every attempt. */
    public IdempotencyKey namedKey(String destination, String name) {
        requireNoStep();
        return derive(key.parent().value(), destination, name);
    }

    private String ordinal(String destination) {
        return "#" + ordinals.merge(destination, 1, Integer::sum);
    }

    private IdempotencyKey derive(String parent, String destination, String name) {
        return new IdempotencyKey(
                key.tenant(), DerivedKeys.derive(parent, operation.record().scope(), destination, name));
    }

    /**
     * Returns whether messages are to be {@linkplain #keep kept} rather than sent: true while an inbox transaction is
     * open.
     */
    public synchronized boolean keeping() {
        return keeping;
    }

    /** Switches between keeping and sending. Called by the engine around an inbox transaction. */
    public synchronized void keeping(boolean keep) {
        keeping = keep;
        written = false;
    }

    /** Notes that the inbox transaction has committed, and ends keeping. Called by the engine. */
    public synchronized void committed() {
        committed = true;
        keeping(false);
    }

    /** Returns whether the inbox transaction has committed: the work is done, and what follows is no attempt of it. */
    public synchronized boolean isCommitted() {
        return committed;
    }

    /**
     * Keeps a message until the transaction has committed.
     *
     * @throws RefusedWorkException if the messages are {@linkplain #endKeeping written} already
     */
    public synchronized void keep(OutgoingMessage message) {
        requireNoStep();
        if (written) {
            throw new RefusedWorkException("A message to " + message.destination() + " was published by the work of "
                    + operation.record().scope().name()
                    + " after the messages of its inbox transaction were written, and before the commit."
                    + " Publish it in the work, or in a callback before the commit, such as a"
                    + " @TransactionalEventListener of phase BEFORE_COMMIT; not in beforeCompletion");
        }
        if (ownKeyIsOut) {
            first = kept.size();
            ownKeyIsOut = false;
        }
        kept.add(message);
    }

    /**
     * Notes that the message that was sent or kept last is the work's own, on its way back to where it came from under
     * its own key: a later attempt comes with it.
     */
    public synchronized void again() {
        again = kept.size();
    }

    /** Notes that the message of that later attempt is not taken: the message of this attempt has to come again. */
    public void handBack() {
        handedBack = true;
    }

    /** Returns whether the message of this attempt has to come again. */
    public boolean isHandedBack() {
        return handedBack;
    }

    /** Returns whether a later attempt comes with a message that was sent or is kept. */
    public synchronized boolean isAgain() {
        return again != NEVER;
    }

    /**
     * Returns the messages kept, in their order, to be written with the transaction. Until it has ended, further ones
     * are refused. Called by the engine right before the commit.
     */
    public synchronized List<OutgoingMessage> endKeeping() {
        written = true;
        return List.copyOf(kept);
    }

    /** Returns the messages kept so far, in their order. */
    public synchronized List<OutgoingMessage> kept() {
        return List.copyOf(kept);
    }

    /**
     * Drops the messages that were kept after the first {@code count} ones. If one of them carries the attempt's own key, the
     * next message does. Called by the engine when the part of the work that published them is rolled back.
     */
    public synchronized void keepOnly(int count) {
        firstCarriesKey |= first >= count && first < kept.size();
        kept.subList(count, kept.size()).clear();
        again = again > count ? NEVER : again;
    }

    /**
     * Makes the attempt wait for a confirmation before it completes.
     *
     * @param confirmation the confirmation of a message that was sent
     * @param again sends the same message once more and returns its confirmation
     */
    public synchronized void track(CompletionStage<?> confirmation, Supplier<? extends CompletionStage<?>> again) {
        requireNoStep();
        tracked.add(new Publication(confirmation, again));
    }

    /** Returns whether something was tracked since the last {@link #drain}. */
    public synchronized boolean hasTracked() {
        return !tracked.isEmpty();
    }

    /** Returns and forgets the publications tracked since the last call. */
    public synchronized List<Publication> drain() {
        List<Publication> drained = List.copyOf(tracked);
        tracked.clear();
        return drained;
    }

    /** A message that was sent, and the way to send it again. */
    public record Publication(CompletionStage<?> confirmation, Supplier<? extends CompletionStage<?>> again) {}
}
