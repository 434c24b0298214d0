package io.idem.jdbc.outbox;

import io.idem.operations.UnsentMessages.Failing;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.core.NestedExceptionUtils;

/** The rows that this process has tried in vain. Bounded. Thread-safe. */
final class FailingRows {

    /** The number of tries after which a row is listed. */
    static final int LISTED = 3;

    private static final int MOST = 1_000;
    private static final int LONGEST = 5;

    private final Duration first;
    private final Map<String, Failing> rows = new LinkedHashMap<>();

    /** @param first the delay after the first failure */
    FailingRows(Duration first) {
        this.first = first;
    }

    /** Notes a try in vain; not of further rows where there are too many, which would count from one again and again. */
    synchronized Optional<Failing> failed(RelayedRow row, Throwable failure) {
        Failing before = rows.remove(row.id());
        if (rows.size() >= MOST) {
            return Optional.empty();
        }
        Failing now = new Failing(
                row.table().tenant(),
                row.keyId(),
                row.scope(),
                before == null ? 1 : before.tries() + 1,
                row.destinations().distinct().collect(Collectors.joining(", ")),
                NestedExceptionUtils.getMostSpecificCause(failure).toString(),
                Instant.now());
        rows.put(row.id(), now);
        return Optional.of(now);
    }

    /** Returns the delay until the next try: it doubles each time, up to {@value #LONGEST} times the first. */
    Duration delay(Failing row) {
        return first.multipliedBy(Math.min(LONGEST, 1L << Math.min(LONGEST, row.tries() - 1)));
    }

    synchronized void confirmed(RelayedRow row) {
        rows.remove(row.id());
    }

    /** Returns the rows that were tried often; those that this process has not tried for long are left out: others may have sent them. */
    synchronized List<Failing> list() {
        Instant longAgo = Instant.now().minus(first.multipliedBy(2 * LONGEST));
        rows.values().removeIf(row -> row.lastTry().isBefore(longAgo));
        return rows.values().stream().filter(row -> row.tries() >= LISTED).toList();
    }
}
