package io.idem;

import java.time.Duration;

/** The store's answer to an acquire. */
public sealed interface Claim {

    /** The work may run: {@code lease} proves it. */
    record Granted(Lease lease, GrantKind kind) implements Claim {

        /**
         * Whether an earlier owner's outcome is unknown. A re-entrant grant answers a repeated acquire: how the first one came about
         * went missing with its answer, and its fence tells.
         */
        public boolean isTakeover() {
            return kind == GrantKind.TAKEOVER || (kind == GrantKind.REENTRANT && lease.fence() % 2 == 1);
        }
    }

    /** The work was done before; this is its result. */
    record Replay(StoredResult result, long fence) implements Claim {}

    /** The work failed for good before. */
    record Rejected(String reason, long fence) implements Claim {}

    /** A failed attempt asked for a delay that has not passed; {@code delay} is what remains of it. */
    record NotYet(Duration delay) implements Claim {}

    /** Another owner holds a live lease; {@code remaining} is what is left of it. */
    record InProgress(Duration remaining) implements Claim {}

    /** The key was used before with another payload. */
    record Mismatch() implements Claim {}

    /** The allowed number of grants is used up; stays so until a reopen or the end of retention. */
    record Exhausted(int attempts, long fence) implements Claim {}

    /** How a grant came about. */
    enum GrantKind {
        /** There was no record. */
        FRESH,
        /** An earlier attempt failed and gave the key back. */
        RETRY,
        /** Another owner's lease ended without a settlement: its outcome is unknown. */
        TAKEOVER,
        /** The same owner asked again; fence and attempt are those of its first grant. */
        REENTRANT;

        /** The fence of a new grant of this kind that is at least {@code least}: odd for a takeover, else even. */
        public long fence(long least) {
            return least + (this == TAKEOVER ? least + 1 : least) % 2;
        }
    }
}
