package io.idem.applications.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work of another owner on a key. It ends without an effect when this is closed. */
interface WorkElsewhere extends AutoCloseable {

    Duration LEASE = Duration.ofMinutes(5);

    @Override
    void close();

    /** Begins work on a key of an application that runs. */
    static WorkElsewhere begin(Application application, RunningApplication running, IdempotencyKey key) {
        RecordId record = new RecordId(key, new Scope(StoryTeller.SCOPE));
        OwnerToken owner = OwnerToken.random(new SecureRandom());
        return application.has(Trait.INBOX_ALONE)
                ? inTransaction(running.bean(Inbox.class), record, owner)
                : underLease(running.bean(IdempotencyStore.class), record, owner);
    }

    private static WorkElsewhere underLease(IdempotencyStore store, RecordId record, OwnerToken owner) {
        Claim claim = store.acquire(
                new AcquireRequest(record, owner, LEASE, ExecutionPolicy.DEFAULT_RETENTION, Fingerprint.NONE, 0, 0));
        Lease lease = ((Claim.Granted) claim).lease();
        return () -> store.fail(lease, Duration.ZERO);
    }

    private static WorkElsewhere inTransaction(Inbox inbox, RecordId record, OwnerToken owner) {
        Lease lease = new Lease(record, owner, 0, 1, LEASE, ExecutionPolicy.DEFAULT_RETENTION);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CompletableFuture<Inbox.InboxOutcome> outcome = new CompletableFuture<>();
        Thread worker = new Thread(() -> complete(outcome, inbox, lease, begun, closed), "work-elsewhere");
        worker.setDaemon(true);
        worker.start();
        RunningApplication.awaiting("the transaction elsewhere").until(() -> begun.getCount() == 0 || outcome.isDone());
        return () -> {
            closed.countDown();
            assertThat(outcome).as("work elsewhere").succeedsWithin(RunningApplication.PATIENCE);
            assertThat(outcome).isCompletedWithValueMatching(Inbox.InboxOutcome.RolledBack.class::isInstance);
        };
    }

    private static void complete(
            CompletableFuture<Inbox.InboxOutcome> outcome,
            Inbox inbox,
            Lease lease,
            CountDownLatch begun,
            CountDownLatch closed) {
        try {
            outcome.complete(inbox.run(new Inbox.Request(lease, Fingerprint.NONE), claimed -> {
                begun.countDown();
                boolean ended = closed.await(LEASE.toSeconds(), TimeUnit.SECONDS);
                assertThat(ended).as("end of the story").isTrue();
                return Optional.empty();
            }));
        } catch (Throwable failure) {
            outcome.completeExceptionally(failure);
        }
    }
}
