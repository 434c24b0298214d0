package io.idem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation to run once: its key and scope, and the rules that apply. Immutable; start with {@link #of} and refine.
 *
 * @param record the key and scope
 * @param root the origin key: the client's key at which the trace of keys begins
 * @param fingerprint the fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param policy durations and limits
 * @param inbox the inbox in whose transactions the work runs; null if only the store protects it
 * @param intake whether the first published message carries the key itself rather than a derived one
 * @param payloads the objects that the work is about, in any forms; only a {@link Reconciler} sees them
 * @param transport a word for the transport that brought the work, fit for a metrics tag; {@value #DIRECT} for direct
 *     calls of an executor
 * @param message the message whose delivery is the work, in a form that only its transport knows; null if there is none
 */
public record Operation(
        RecordId record,
        String root,
        Fingerprint fingerprint,
        ExecutionPolicy policy,
        @Nullable Inbox inbox,
        boolean intake,
        List<Object> payloads,
        String transport,
        @Nullable Object message) {

    /** The transport of HTTP requests. */
    public static final String HTTP = "http";

    /** The transport of direct calls of an executor. */
    public static final String DIRECT = "direct";

    /** Copies the list. */
    public Operation {
        payloads = List.copyOf(payloads);
    }

    /** Returns an operation without fingerprint and inbox, whose trace of keys begins with its own key. */
    public static Operation of(IdempotencyKey key, Scope scope, ExecutionPolicy policy) {
        return new Operation(
                new RecordId(key, scope), key.value(), Fingerprint.NONE, policy, null, false, List.of(), DIRECT, null);
    }

    /** Returns a copy with a fingerprint of the payload. */
    public Operation withFingerprint(Fingerprint of) {
        return new Operation(record, root, of, policy, inbox, intake, payloads, transport, message);
    }

    /** Returns a copy with another origin key. */
    public Operation withRoot(String clientKey) {
        return new Operation(record, clientKey, fingerprint, policy, inbox, intake, payloads, transport, message);
    }

    /** Returns a copy whose work runs inside the transactions of an inbox. */
    public Operation withInbox(Inbox box) {
        return new Operation(record, root, fingerprint, policy, box, intake, payloads, transport, message);
    }

    /** Returns access to the last phase of the work if that is its only transaction; null else. */
    public Inbox.@Nullable LastPhase lastPhase() {
        return inbox == null || policy.attempts().transaction() != InboxTransaction.LAST_PHASE
                ? null
                : inbox.lastPhase()
                        .orElseThrow(() -> new IllegalStateException("The inbox " + inbox
                                + " runs whole work only; its work cannot have transaction = LAST_PHASE"));
    }

    /** Returns a copy for an intake: its first published message carries the key itself. */
    public Operation atIntake() {
        return new Operation(record, root, fingerprint, policy, inbox, true, payloads, transport, message);
    }

    /** Returns a copy with payloads, from which a {@link Reconciler} may find out what an earlier attempt did. */
    public Operation withPayloads(List<Object> about) {
        return new Operation(record, root, fingerprint, policy, inbox, intake, about, transport, message);
    }

    /** Returns a copy with the name of the transport that brought the work. */
    public Operation withTransport(String by) {
        return new Operation(record, root, fingerprint, policy, inbox, intake, payloads, by, message);
    }

    /** Returns a copy of an operation that a message brought. */
    public Operation withMessage(Object delivered) {
        return new Operation(record, root, fingerprint, policy, inbox, intake, payloads, transport, delivered);
    }

    /** Returns a text without the payloads, which may be confidential. */
    @Override
    public String toString() {
        return "operation " + record;
    }
}
