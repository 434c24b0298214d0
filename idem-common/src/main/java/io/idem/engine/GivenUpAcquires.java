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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires that nobody waits for any more, but that the store may still execute: a grant then, for work that never ran. The next attempt
 * of this process for the same record and payload asks in the name of the earlier one, and is told of that grant. What no attempt asks
 * for again, because its message went to another process, is withdrawn as soon as the store answers. Thread-safe.
 *
 * <p>An owner token belongs to one attempt at a time, and to none once its withdrawal has begun: a withdrawal may be executed late, too.
 */
final class GivenUpAcquires implements AutoCloseable {

    /** Time for the message to come back to this process, whose next attempt needs no withdrawal. */
    static final Duration PAUSE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(GivenUpAcquires.class);

    /** More are not remembered: their leases run out. */
    private static final int MOST = 10_000;

    private final IdempotencyStore store;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<RecordId, List<GivenUp>> known = new HashMap<>();
    private volatile int size;
    private boolean scheduled;

    /** Withdraws from {@code store}, on a thread of its own that starts with the first acquire that is given up. */
    GivenUpAcquires(IdempotencyStore store) {
        this.store = store;
        this.thread = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread daemon = new Thread(task, "idem-withdrawal");
                    daemon.setDaemon(true);
                    return daemon;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /** The request in the name of an earlier attempt that was not answered, or as it is. */
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

    /** Takes in that the store answered: whoever asks next does so in a new name. */
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

    /** Takes in that the store did not answer. An error of the virtual machine leaves the acquire to its lease. */
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

    /** Ends with the first that the store does not answer, which is the last one of the next time. */
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
     * Gives back what the acquire was granted. Not a takeover: a key that is given back would no longer say that an outcome is unknown;
     * that lease runs out. The attempt counts.
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
     * Only then is the acquire repeated: it would take over another owner whose lease has lapsed, and who may still renew it where the
     * store was away. A renewal says so, and writes nothing for anybody else.
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

    /** Guarded by the lock of the whole. */
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
