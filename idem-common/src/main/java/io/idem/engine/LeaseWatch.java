package io.idem.engine;

import static io.idem.internal.Durations.shorter;

import io.idem.RecordId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the lease of one attempt and tells its work when the lease is lost, if the work asked for that. A lease stays
 * lost once its work was told, even if a late renewal succeeds: the work is stopping. Thread-safe.
 */
final class LeaseWatch {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);

    private final LocalDeadline deadline;
    private final LeaseTimer timer;
    private final Duration longestPause;
    private final RecordId record;
    private final List<Runnable> actions = new ArrayList<>();
    private @Nullable Future<?> next;
    private volatile boolean held;
    private boolean told;
    private boolean ended;

    /**
     * @param longestPause longest time between two looks at the deadline: a clock may jump, for example after a
     *     suspension
     */
    LeaseWatch(RecordId record, LocalDeadline deadline, LeaseTimer timer, Duration longestPause) {
        this.record = record;
        this.deadline = deadline;
        this.timer = timer;
        this.longestPause = longestPause;
    }

    boolean passed() {
        return !held && deadline.passed();
    }

    /** Notes whether an open transaction holds the record, with or without the lease. */
    void held(boolean open) {
        held = open;
    }

    void renewed(long sentAt) {
        deadline.extendFrom(sentAt);
    }

    /** Notes that the store answered that the lease is lost. */
    synchronized void lost() {
        deadline.lose();
        if (!actions.isEmpty()) {
            next = timer.after(Duration.ZERO, this::look);
        }
    }

    void onLost(Runnable action) {
        if (mustWait(action)) {
            return;
        }
        tell(action);
    }

    private synchronized boolean mustWait(Runnable action) {
        if (ended) {
            return true;
        }
        if (told || passed()) {
            deadline.lose();
            return false;
        }
        actions.add(action);
        if (actions.size() == 1) {
            lookLater();
        }
        return true;
    }

    private synchronized void lookLater() {
        if (!ended) {
            Duration remaining = Duration.ofNanos(Math.max(0, deadline.remainingNanos()));
            next = timer.after(held ? longestPause : shorter(remaining, longestPause), this::look);
        }
    }

    private void look() {
        if (passed()) {
            actionsToTell().forEach(this::tell);
        } else {
            lookLater();
        }
    }

    private synchronized List<Runnable> actionsToTell() {
        told = true;
        deadline.lose();
        List<Runnable> all = List.copyOf(actions);
        actions.clear();
        return all;
    }

    private void tell(Runnable action) {
        try {
            action.run();
        } catch (Throwable failure) {
            LOG.warn("An action on the lost lease of {} failed; it is not repeated", record, failure);
        }
    }

    /** Ends the watch: the work is not told any more. */
    synchronized void end() {
        ended = true;
        actions.clear();
        if (next != null) {
            next.cancel(false);
        }
    }
}
