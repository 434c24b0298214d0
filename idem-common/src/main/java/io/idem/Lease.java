package io.idem;

import java.time.Duration;

/**
 * Time-limited right to do the work, as granted. Names the grant in every later write.
 *
 * @param record which record
 * @param owner token of the attempt
 * @param fence fencing token of the grant: grows with every grant of the record
 * @param attempt which grant of the record this is, from 1
 * @param duration how long one acquire or renewal lasts
 * @param retention how long the record outlives every write
 */
public record Lease(
        RecordId record, OwnerToken owner, long fence, int attempt, Duration duration, Duration retention) {}
