package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.UnreadableRecordException;
import io.idem.internal.DaemonThreads;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires for which no caller waits any more, but which the store may still execute; that would be a grant for work
 * that never ran. The next attempt of this process for the same record and payload uses the owner token of the earlier
 * one, and is told of that grant. An acquire that no attempt resumes, because its message went to another process, is
 * withdrawn as soon as the store answers. Thread-safe.
 *
 * <p>An owner token belongs to one attempt at a time, and to none after its withdrawal has begun: the withdrawal may be
 * executed late, too.
 */
final class GivenUpAcquires implements AutoCloseable {

    /** Time for the message to come back to this process; its next attempt then needs no withdrawal. */
    static final Duration PAUSE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(GivenUpAcquires.class);

    /** Largest number of acquires that are remembered. The leases of further ones expire. */
    private static final int MOST = 10_000;

    private final IdempotencyStore store;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<RecordId, List<GivenUp>> known = new HashMap<>();
    private volatile int size;
    private boolean scheduled;

    /**
     * Creates the memory of {@code store}. Withdraws on its own thread, which starts with the first acquire that is
     * given up.
     */
    GivenUpAcquires(IdempotencyStore store) {
        this.store = store;
        this.thread = new ScheduledThreadPoolExecutor(
                1, DaemonThreads.named("idem-withdrawal"), new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Returns the request with the owner token of an earlier attempt that was not answered, or the request itself. */
    AcquireRequest resumed(AcquireRequest request) {
        return size == 0 ? request : earlier(request).orElse(request);
    }

    private synchronized Optional<AcquireRequest> earlier(AcquireRequest request) {
        return of(request).stream()
                .filter(candidate -> candidate.isFreeFor(request))
                .findFirst()
                .map(found -> found.resumedBy(request));
    }

    private List<GivenUp> of(AcquireRequest request) {
        return known.getOrDefault(request.record(), List.of());
    }

    /** Notes the end of an acquire; the failure is null after an answer. */
    void ended(AcquireRequest request, @Nullable Throwable failure) {
        if (failure == null) {
            answered(request);
        } else {
            failed(request, failure);
        }
    }

    /** Notes that the store answered: the next attempt uses a new owner token. */
    void answered(AcquireRequest request) {
        if (size > 0) {
            forget(request);
        }
    }

    private synchronized void forget(AcquireRequest request) {
        List<GivenUp> same = known.get(request.record());
        if (same != null && same.removeIf(givenUp -> givenUp.isOf(request))) {
            size--;
            if (same.isEmpty()) {
                known.remove(request.record());
            }
        }
    }

    /** Notes that the store did not answer. After an error of the virtual machine the lease is left to expire. */
    void failed(AcquireRequest request, Throwable failure) {
        if (failure instanceof UnreadableRecordException || failure instanceof Error) {
            answered(request);
        } else {
            givenUp(
                    request,
                    failure instanceof StoreUnavailableException silent
                            && silent.execution() == Execution.NOT_EXECUTED);
        }
    }

    private synchronized void givenUp(AcquireRequest request, boolean notExecuted) {
        Optional<GivenUp> earlier = of(request).stream()
                .filter(candidate -> candidate.isOf(request))
                .findFirst();
        if (earlier.isPresent()) {
            earlier.get().free();
        } else if (!notExecuted && size < MOST) {
            known.computeIfAbsent(request.record(), record -> new ArrayList<>()).add(new GivenUp(request));
            size++;
        } else {
            return;
        }
        schedule();
    }

    private synchronized void schedule() {
        if (!scheduled) {
            scheduled = true;
            var unused = thread.schedule(this::withdrawDue, PAUSE.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Withdraws the acquires that are due. Stops at the first that the store does not answer; that one comes last in
     * the next run.
     */
    private void withdrawDue() {
        try {
            for (GivenUp givenUp : due()) {
                givenUp.tries++;
                withdraw(givenUp.request);
                forget(givenUp.request);
            }
        } catch (StoreUnavailableException away) {
            LOG.debug("Acquires that were given up are withdrawn later: {}", away.getMessage());
        } finally {
            goOn();
        }
    }

    private synchronized void goOn() {
        scheduled = false;
        if (size > 0) {
            schedule();
        }
    }

    private synchronized List<GivenUp> due() {
        List<GivenUp> due = known.values().stream()
                .flatMap(List::stream)
                .filter(GivenUp::isDue)
                .sorted(Comparator.comparingInt(givenUp -> givenUp.tries))
                .toList();
        due.forEach(givenUp -> givenUp.use = Use.WITHDRAWAL);
        return due;
    }

    private void withdraw(AcquireRequest givenUp) {
        try {
            takeBack(givenUp);
        } catch (StoreUnavailableException away) {
            throw away;
        } catch (RuntimeException failed) {
            LOG.warn(
                    "The acquire of {} was given up and cannot be withdrawn; its lease runs out",
                    givenUp.record(),
                    failed);
        }
    }

    /**
     * Releases the key if the acquire was granted. A takeover is not released, because the record would no longer say
     * that an outcome is unknown; its lease expires. The attempt counts.
     */
    private void takeBack(AcquireRequest givenUp) {
        boolean executed = store.inspect(givenUp.record())
                .filter(found -> isOwnedBy(givenUp, found))
                .isPresent();
        if (executed && store.acquire(givenUp) instanceof Claim.Granted granted && !granted.isTakeover()) {
            var unused = store.fail(granted.lease(), Duration.ZERO);
            LOG.info("{} is free again: its acquire was given up, and executed after that", givenUp.record());
        }
    }

    /**
     * Returns whether the acquire was executed and its lease is still valid. Repeating an acquire whose owner is
     * another one would take that owner over if its lease has lapsed, although it may still renew where the store was
     * unreachable. A renewal tells the owner and writes nothing for others.
     */
    private boolean isOwnedBy(AcquireRequest givenUp, RecordSnapshot found) {
        return found.state() == RecordState.PENDING
                && store.renew(new Lease(
                                givenUp.record(),
                                givenUp.owner(),
                                found.fence(),
                                Math.max(1, found.attempts()),
                                givenUp.lease(),
                                givenUp.retention()))
                        instanceof StoreAnswer.Ok;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private enum Use {
        NONE,
        ATTEMPT,
        WITHDRAWAL
    }

    /** A given-up acquire. Guarded by the lock of the outer instance. */
    private static final class GivenUp {

        private AcquireRequest request;
        private long since = System.nanoTime();
        private Use use = Use.NONE;
        private int tries;

        GivenUp(AcquireRequest request) {
            this.request = request;
        }

        boolean isOf(AcquireRequest other) {
            return request.owner().equals(other.owner());
        }

        void free() {
            since = System.nanoTime();
            use = Use.NONE;
        }

        boolean isDue() {
            return use == Use.WITHDRAWAL || (use == Use.NONE && System.nanoTime() - since >= PAUSE.toNanos() / 2);
        }

        boolean isFreeFor(AcquireRequest later) {
            return use == Use.NONE && request.fingerprint().equals(later.fingerprint());
        }

        AcquireRequest resumedBy(AcquireRequest later) {
            use = Use.ATTEMPT;
            request = new AcquireRequest(
                    later.record(),
                    request.owner(),
                    later.lease(),
                    later.retention(),
                    later.fingerprint(),
                    later.fenceFloor(),
                    later.maxAttempts());
            return request;
        }
    }
}
