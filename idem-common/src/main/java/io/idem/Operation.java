package io.idem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be run once: whose key, in which scope, under which rules. Immutable; start with {@link #of} and refine.
 *
 * @param record key and scope
 * @param root the origin key: the client's key at which the trace of keys begins
 * @param fingerprint of the payload, or {@link Fingerprint#NONE}
 * @param policy durations and limits
 * @param inbox in whose transactions the work runs; null for protection by the store alone
 * @param intake whether the first message published carries the key itself rather than a derived one
 * @param payloads what the work is about, in any forms; for a {@link Reconciler} and nobody else
 * @param transport what brought it, in a word fit for a tag; {@value #DIRECT} for calls of the executor itself
 */
public record Operation(
        RecordId record,
        String root,
        Fingerprint fingerprint,
        ExecutionPolicy policy,
        @Nullable Inbox inbox,
        boolean intake,
        List<Object> payloads,
        String transport) {

    /** The transport of work that no transport brought. */
    public static final String DIRECT = "direct";

    /** Copies the list. */
    public Operation {
        payloads = List.copyOf(payloads);
    }

    /** An operation without fingerprint and inbox, whose trace of keys begins with its own key. */
    public static Operation of(IdempotencyKey key, Scope scope, ExecutionPolicy policy) {
        return new Operation(
                new RecordId(key, scope), key.value(), Fingerprint.NONE, policy, null, false, List.of(), DIRECT);
    }

    /** The same, checking the payload. */
    public Operation withFingerprint(Fingerprint of) {
        return new Operation(record, root, of, policy, inbox, intake, payloads, transport);
    }

    /** Another origin key for the trace of keys; everything else stays. */
    public Operation withRoot(String clientKey) {
        return new Operation(record, clientKey, fingerprint, policy, inbox, intake, payloads, transport);
    }

    /** The same, run inside the transactions of an inbox. */
    public Operation withInbox(Inbox box) {
        return new Operation(record, root, fingerprint, policy, box, intake, payloads, transport);
    }

    /** The same at an intake: its first message carries the key itself. */
    public Operation atIntake() {
        return new Operation(record, root, fingerprint, policy, inbox, true, payloads, transport);
    }

    /** The same, naming what a {@link Reconciler} may need to find out what an earlier attempt did. */
    public Operation withPayloads(List<Object> about) {
        return new Operation(record, root, fingerprint, policy, inbox, intake, about, transport);
    }

    /** The same, brought by a transport. */
    public Operation withTransport(String by) {
        return new Operation(record, root, fingerprint, policy, inbox, intake, payloads, by);
    }

    /** Without the payloads, which may be confidential. */
    @Override
    public String toString() {
        return "operation " + record;
    }
}
