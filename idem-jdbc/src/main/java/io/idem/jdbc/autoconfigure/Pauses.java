package io.idem.jdbc.autoconfigure;

import java.time.Duration;

/**
 * Pauses between what the threads of the inbox, the outbox and the store do again and again. Only a test has others than
 * {@link #USUAL}.
 *
 * @param inboxCleaning between two deletions of inbox rows older than their retention
 * @param recordCleaning between two deletions of records whose retention has ended
 * @param relaying between two looks for committed rows whose messages nobody has sent
 */
record Pauses(Duration inboxCleaning, Duration recordCleaning, Duration relaying) {

    static final Pauses USUAL = new Pauses(Duration.ofHours(1), Duration.ofHours(1), Duration.ofSeconds(5));
}
