package io.idem.zookeeper;

import io.idem.RecordId;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sees from outside who holds which record and what was completed, and counts what must not be: two owners at a time
 * that both may believe in their leases, and finished work that is granted again or has another result. Thread-safe.
 */
final class Witness {

    /** Stamps are whole milliseconds. */
    private static final long TOLERANCE = Duration.ofMillis(2).toNanos();

    private final Map<RecordId, Holder> holders = new HashMap<>();
    private final Map<RecordId, StoredResult> completed = new HashMap<>();
    private int grants;
    private int takeovers;
    private int duplicates;
    private int overlaps;
    private int forgotten;

    private record Holder(String owner, long until) {}

    /** Notes a grant whose lease counts from {@code sentAt}, when it was asked for. */
    synchronized void granted(RecordId record, String owner, long sentAt, Duration lease, boolean takeover) {
        grants++;
        takeovers += takeover ? 1 : 0;
        Holder before = holders.get(record);
        if (before != null && !before.owner().equals(owner) && before.until() - TOLERANCE > System.nanoTime()) {
            overlaps++;
        }
        holders.put(record, new Holder(owner, sentAt + lease.toNanos()));
    }

    /** Notes a renewal that was answered. */
    synchronized void renewed(RecordId record, String owner, long sentAt, Duration lease) {
        holders.computeIfPresent(
                record,
                (id, holder) -> holder.owner().equals(owner) ? new Holder(owner, sentAt + lease.toNanos()) : holder);
    }

    /** Notes that an owner does not work any more, and is about to say so, or has died. */
    synchronized void left(RecordId record, String owner) {
        holders.computeIfPresent(record, (id, holder) -> holder.owner().equals(owner) ? null : holder);
    }

    /** Notes a completion that was answered with the result on record. */
    synchronized void completed(RecordId record, StoredResult result) {
        StoredResult before = completed.putIfAbsent(record, result);
        forgotten += before == null || before.equals(result) ? 0 : 1;
    }

    /** Notes the result that a duplicate got; empty if it was granted the record instead. */
    synchronized void answered(RecordId record, Optional<StoredResult> expected, Optional<StoredResult> got) {
        duplicates += got.isPresent() ? 1 : 0;
        forgotten += expected.isEmpty() || expected.equals(got) ? 0 : 1;
    }

    /** Returns the result that a duplicate of now must get; empty if nobody was told that the work is done. */
    synchronized Optional<StoredResult> expected(RecordId record) {
        return Optional.ofNullable(completed.get(record));
    }

    synchronized Map<RecordId, StoredResult> completed() {
        return Map.copyOf(completed);
    }

    synchronized int grants() {
        return grants;
    }

    synchronized int takeovers() {
        return takeovers;
    }

    synchronized int overlaps() {
        return overlaps;
    }

    synchronized int forgotten() {
        return forgotten;
    }

    @Override
    public synchronized String toString() {
        return grants + " grants, " + takeovers + " takeovers, " + completed.size() + " completed, " + duplicates
                + " duplicates, " + overlaps + " overlaps, " + forgotten + " forgotten";
    }
}
