package io.idem;

import java.time.Duration;

/** The store's answer to an acquire. */
public sealed interface Claim {

    /** The work may run. The lease proves it and is named in every later write. */
    record Granted(Lease lease, GrantKind kind) implements Claim {

        /**
         * Returns whether an earlier owner's outcome is unknown. A re-entrant grant answers a repeated acquire and does
         * not say how the first grant came about; there the fence tells, which is odd for a takeover.
         */
        public boolean isTakeover() {
            return kind == GrantKind.TAKEOVER || (kind == GrantKind.REENTRANT && lease.fence() % 2 == 1);
        }
    }

    /** The work was completed before, with this result. */
    record Replay(StoredResult result, long fence) implements Claim {}

    /** The work failed for good before. */
    record Rejected(String reason, long fence) implements Claim {}

    /** An earlier attempt failed and asked for a delay that has not passed; {@code delay} is the rest of it. */
    record NotYet(Duration delay) implements Claim {}

    /** Another owner holds a live lease; {@code remaining} is the rest of it. */
    record InProgress(Duration remaining) implements Claim {}

    /** The key was used before with another payload. */
    record Mismatch() implements Claim {}

    /**
     * The allowed number of grants is used up. The record stays exhausted until it is reopened or its retention ends.
     */
    record Exhausted(int attempts, long fence) implements Claim {}

    /** The ways in which a grant comes about. */
    enum GrantKind {
        /** There was no record. */
        FRESH,
        /** An earlier attempt failed and released the key. */
        RETRY,
        /** Another owner's lease ended before the record was updated: the outcome of its work is unknown. */
        TAKEOVER,
        /** The grant answers a repeated acquire of its own owner; fence and attempt are those of the first grant. */
        REENTRANT;

        /**
         * Returns the lowest fence of a new grant of this kind that is at least {@code least}: an odd number for a
         * takeover, else an even one.
         */
        public long fence(long least) {
            return least + (this == TAKEOVER ? least + 1 : least) % 2;
        }
    }
}
