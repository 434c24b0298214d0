package io.idem.demo.watch;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event of a worker, as one line in its log. No payload, no key in clear.
 *
 * @param worker its name
 * @param pid its process
 * @param what what happened
 * @param scope who was at it; for {@link What#DELIVERED} the queue or the consumer group
 * @param key id of the key; for {@link What#DELIVERED} the message's place, if it has one
 * @param detail kind of grant, state after settling, kind of answer, id of another key, key of a call, or how a step ended
 *     and its name
 * @param fence of the grant, or 0
 * @param nanos the process's monotonic clock; only differences within one process mean something
 */
public record WorkerEvent(
        String worker, long pid, What what, String scope, String key, String detail, long fence, long nanos) {

    /** Detail of a delivery that the broker says is not the first. */
    public static final String REDELIVERED = "REDELIVERED";

    private static final String MARK = "@worker ";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The kinds of events. */
    public enum What {
        /** The worker is up and its listeners run. */
        READY,
        /** The broker delivered a message. */
        DELIVERED,
        /** A delivered message has a key of its own, and follows from the key whose id is the detail. */
        FOLLOWS,
        /** The worker may do the work. */
        GRANTED,
        /** The worker may not do the work: it is done, or another owner holds the lease. */
        ANSWERED,
        /** The provider was called. */
        CALLED,
        /** A step of the work ended. */
        STEP_ENDED,
        /** The business transaction is about to be committed. */
        COMMITTING,
        /** The business transaction was committed; COMPLETE comes next. */
        COMMITTED,
        /** The record was settled. */
        SETTLED,
        /** The inbox knew the work, so it was not done again. */
        FOUND_IN_INBOX,
        /** Something that idem reports as lost: a lease, a record. */
        LOST
    }

    /** The line to log. */
    public String line() {
        return MARK + JSON.writeValueAsString(this);
    }

    /** Reads a line of a log; empty if it is not such a line, or was cut off by a kill. */
    public static Optional<WorkerEvent> parse(String line) {
        int mark = line.lastIndexOf(MARK);
        if (mark < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(line.substring(mark + MARK.length()), WorkerEvent.class));
        } catch (JacksonException cutOff) {
            return Optional.empty();
        }
    }
}
