package io.idem.operations;

import java.time.Instant;
import java.util.List;

/** Committed work whose messages no broker is known to have, as an outbox knows it. Thread-safe. */
@FunctionalInterface
public interface UnsentMessages {

    /** Returns what this process knows; does not block. */
    Report report();

    /**
     * The messages that have not left the outbox.
     *
     * @param waiting what waits by tenant and scope, as it was counted last; also in scopes of other applications
     * @param failing the rows that this process has tried in vain, three times at least, and not sent since
     */
    record Report(List<Waiting> waiting, List<Failing> failing) {}

    /**
     * The rows of a scope. Both numbers are -1 while the database cannot be asked.
     *
     * @param tenant the name of the data source; empty where there is only one
     * @param oldestSeconds the time since the oldest was committed
     * @param served whether this process sends their messages
     */
    record Waiting(String tenant, String scope, long rows, long oldestSeconds, boolean served) {}

    /**
     * A row whose messages do not leave.
     *
     * @param keyId the digest of the key
     * @param to the destinations of its messages
     * @param failure why the last try failed
     */
    record Failing(String tenant, String keyId, String scope, int tries, String to, String failure, Instant lastTry) {}
}
