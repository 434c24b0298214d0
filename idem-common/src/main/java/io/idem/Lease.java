package io.idem;

import java.time.Duration;

/**
 * A granted, time-limited right to do the work. Every later write names it. Immutable.
 *
 * @param record the record that was acquired
 * @param owner the token of the attempt
 * @param fence the fencing token of the grant, which grows with every grant of the record
 * @param attempt the number of this grant of the record, from 1
 * @param duration the time for which one acquire or renewal lasts
 * @param retention the time for which the record is kept after every write
 */
public record Lease(
        RecordId record, OwnerToken owner, long fence, int attempt, Duration duration, Duration retention) {}
