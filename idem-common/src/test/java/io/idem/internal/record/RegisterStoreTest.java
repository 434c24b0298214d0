package io.idem.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Stages;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Records that change between a look and the write, and looks that are not exact. */
class RegisterStoreTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k-1"), new Scope("payments"));
    private static final StoredResult RECEIPT = StoredResult.of("text", new byte[] {1});

    private final MemoryRegister register = new MemoryRegister();
    private final IdempotencyStore store = new MemoryStore(register);

    private static AcquireRequest request() {
        OwnerToken owner = OwnerToken.random(new SecureRandom());
        return new AcquireRequest(RECORD, owner, LEASE, Duration.ofHours(1), Fingerprint.NONE, 0, 0);
    }

    private Lease granted(GrantKind kind) {
        Claim.Granted granted = (Claim.Granted) store.acquire(request());
        assertThat(granted.kind()).isEqualTo(kind);
        return granted.lease();
    }

    @Test
    void whoFindsARecordWhereNoneWasSeenIsRefused() {
        register.beforeWrite = () -> granted(GrantKind.FRESH);

        assertThat(store.acquire(request())).isEqualTo(new Claim.InProgress(LEASE));
    }

    @Test
    void aLapsedLeaseIsTakenOverByOneOfTwo() {
        Lease lapsed = granted(GrantKind.FRESH);
        register.now += LEASE.toMillis();
        register.beforeWrite = () -> granted(GrantKind.TAKEOVER);

        assertThat(store.acquire(request())).isEqualTo(new Claim.InProgress(LEASE));
        assertThat(store.complete(lapsed, RECEIPT)).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void anOwnerWritesAlthoughItsRecordChangedInBetween() {
        Lease lease = granted(GrantKind.FRESH);
        register.beforeWrite = () -> store.renew(lease);

        assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    @Test
    void aRecordThatNeverRestsIsLeftAsItIs() {
        Lease lease = granted(GrantKind.FRESH);
        register.restless = true;

        assertThatThrownBy(() -> store.complete(lease, RECEIPT))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.execution()).isEqualTo(Execution.NOT_EXECUTED))
                .hasMessageContaining("changed between every read of it and the write");
        assertThat(register.looks).isEqualTo(99);
    }

    @Test
    void anEstimateOfTheTimeRefusesByWhatLasts() {
        granted(GrantKind.FRESH);

        assertThat(store.acquire(request())).isEqualTo(new Claim.InProgress(LEASE));

        assertThat(register.looks).isZero();
    }

    @Test
    void anEstimateOfTheTimeEndsNothing() {
        Lease lease = granted(GrantKind.FRESH);
        register.ahead = Duration.ofDays(1).toMillis();

        assertThat(store.acquire(request())).isEqualTo(new Claim.InProgress(LEASE));
        assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));

        assertThat(register.looks).isEqualTo(2);
    }

    private static final class MemoryRegister implements Register {

        private final Map<RecordId, SeenRecord> records = new HashMap<>();
        private Runnable beforeWrite = () -> {};
        private boolean restless;
        private long now;
        private long ahead;
        private int looks;

        @Override
        public CompletionStage<Written> create(RecordId record, StoredRecord first) {
            return write(record, Look.NOTHING, first);
        }

        @Override
        public CompletionStage<Look> look(RecordId record) {
            looks++;
            return CompletableFuture.completedFuture(new Look(now, true, records.get(record), 0));
        }

        @Override
        public CompletionStage<Look> glance(RecordId record) {
            return CompletableFuture.completedFuture(glanced(record));
        }

        private Look glanced(RecordId record) {
            return new Look(now + ahead, false, records.get(record), 0);
        }

        @Override
        public CompletionStage<Written> write(RecordId record, Look seen, StoredRecord next) {
            Runnable other = beforeWrite;
            beforeWrite = () -> {};
            other.run();
            if (restless || !Objects.equals(records.get(record), seen.found())) {
                return CompletableFuture.completedFuture(
                        Written.refused(seen.found() == null ? glanced(record) : null));
            }
            records.put(record, new SeenRecord(next, now, 0));
            return CompletableFuture.completedFuture(Written.at(now));
        }
    }

    private static final class MemoryStore extends RegisterStore {

        private final MemoryRegister register;

        private MemoryStore(MemoryRegister register) {
            super(LEASE);
            this.register = register;
        }

        @Override
        protected Register register() {
            return register;
        }

        @Override
        protected RuntimeException failed(String call, Throwable failure) {
            return Stages.rethrown(failure);
        }

        @Override
        protected Look inspected(RecordId record) {
            return Stages.join(register.look(record));
        }

        @Override
        public Optional<Executor> blockingThreads() {
            return Optional.empty();
        }

        @Override
        public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
            return inspect(new RecordId(key, RECORD.scope())).stream().toList();
        }

        @Override
        public void announce(Scope scope) {}

        @Override
        public void close() {}
    }
}
