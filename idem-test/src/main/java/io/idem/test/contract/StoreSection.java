package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.support.TypeBasedParameterResolver;

/**
 * The common parts of the sections of the contract. Durations are long and compared with {@link #SLACK}, because the
 * clock of a server goes on while a test runs.
 */
@ExtendWith(StoreSection.OpenedHarness.class)
abstract class StoreSection {

    static final Duration LEASE = Duration.ofMinutes(10);
    static final Duration RETENTION = Duration.ofHours(24);
    static final Duration SLACK = Duration.ofMinutes(1);
    static final Fingerprint HUNDRED = Fingerprint.of("amount=100".getBytes(StandardCharsets.UTF_8));
    static final Fingerprint THOUSAND = Fingerprint.of("amount=1000".getBytes(StandardCharsets.UTF_8));
    static final StoredResult RECEIPT = StoredResult.of("json", "{\"receipt\":1}".getBytes(StandardCharsets.UTF_8));
    static final StoredResult OTHER_RECEIPT =
            StoredResult.of("json", "{\"receipt\":2}".getBytes(StandardCharsets.UTF_8));

    final RecordId record = new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));

    private StoreHarness harness;

    /** Opens a harness of the contract that a section belongs to. */
    static final class OpenedHarness extends TypeBasedParameterResolver<StoreHarness> {
        @Override
        public StoreHarness resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return test.getRequiredTestInstances()
                    .findInstance(IdempotencyStoreContract.class)
                    .orElseThrow()
                    .open();
        }
    }

    @BeforeEach
    void openHarness(StoreHarness opened) {
        harness = opened;
    }

    @AfterEach
    void closeHarness() {
        harness.close();
    }

    IdempotencyStore store() {
        return harness.store();
    }

    void advance(Duration by) {
        harness.advance(by);
    }

    Claim acquire(Request request) {
        return store().acquire(request.build());
    }

    Claim.Granted granted(Request request) {
        return granted(acquire(request));
    }

    static Claim.Granted granted(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return (Claim.Granted) claim;
    }

    /** Asserts what is granted, with a fence greater than one seen before, and returns it. */
    Lease assertGranted(Request request, GrantKind kind, int attempt, long fenceBefore) {
        Claim.Granted granted = granted(request);
        assertThat(granted.kind()).isEqualTo(kind);
        assertThat(granted.lease().attempt()).isEqualTo(attempt);
        assertThat(granted.lease().fence()).isGreaterThan(fenceBefore);
        return granted.lease();
    }

    /** Returns the grant of a new owner. */
    Lease lease() {
        return granted(Request.of(record)).lease();
    }

    /** Returns the grant of a new owner whose lease has ended. */
    Lease lapsed() {
        Lease lease = lease();
        advance(LEASE);
        return lease;
    }

    /** Returns the grant of a new owner that has completed its work with {@link #RECEIPT}. */
    Lease completed() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);
        return lease;
    }

    /** Returns the grant of a new owner that has failed. */
    Lease failed(Duration delay) {
        Lease lease = lease();
        store().fail(lease, delay);
        return lease;
    }

    /** Returns the grant of a new owner that has rejected its work. */
    Lease rejected(String reason) {
        Lease lease = lease();
        store().reject(lease, reason);
        return lease;
    }

    /** Returns the grant of another owner after the lease of the one before has ended. */
    Lease takeover() {
        advance(LEASE);
        return lease();
    }

    RecordSnapshot snapshot() {
        return store().inspect(record).orElseThrow();
    }

    /** Runs a call, and checks that the record is the same to the byte afterwards. */
    <T> T leavingUntouched(RecordId untouched, Supplier<T> call) {
        String before = harness.stored(untouched);
        T answer = call.get();
        assertThat(harness.stored(untouched)).as("stored form of %s", untouched).isEqualTo(before);
        return answer;
    }

    <T> T leavingUntouched(Supplier<T> call) {
        return leavingUntouched(record, call);
    }

    /** Asserts the answer of a call, which leaves the record the same to the byte. */
    <T> void assertChangesNothing(T expected, Supplier<T> call) {
        assertThat(leavingUntouched(call)).isEqualTo(expected);
    }

    /** Asserts that a call is refused and leaves the record the same to the byte. */
    void assertLost(Supplier<StoreAnswer> call) {
        assertThat(leavingUntouched(call)).isInstanceOf(StoreAnswer.Lost.class);
    }

    /** Asserts that no settlement of an owner is taken any more. */
    void assertHasNoRights(Lease lease, StoreAnswer lost) {
        assertChangesNothing(lost, () -> store().renew(lease));
        assertChangesNothing(lost, () -> store().complete(lease, RECEIPT));
        assertChangesNothing(lost, () -> store().fail(lease, Duration.ZERO));
        assertChangesNothing(lost, () -> store().reject(lease, "no"));
    }

    /** Asserts that a settlement finds no record after its retention, and makes none. */
    void assertMakesNoRecord(Function<Lease, StoreAnswer> settlement) {
        Lease lease = lease();
        advance(RETENTION);
        assertThat(settlement.apply(lease)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }

    static StoreAnswer ok() {
        return new StoreAnswer.Ok(StoredResult.NONE);
    }

    static StoreAnswer lost(RecordState found) {
        return lost(found, StoredResult.NONE);
    }

    static StoreAnswer lost(RecordState found, StoredResult result) {
        return new StoreAnswer.Lost(found, result);
    }

    static Lease withOwner(Lease lease, OwnerToken owner) {
        return new Lease(lease.record(), owner, lease.fence(), lease.attempt(), lease.duration(), lease.retention());
    }

    static Lease withFence(Lease lease, long fence) {
        return new Lease(lease.record(), lease.owner(), fence, lease.attempt(), lease.duration(), lease.retention());
    }

    OwnerToken stranger() {
        return Request.of(record).owner();
    }

    static void assertAbout(Duration actual, Duration expected) {
        assertThat(actual).isBetween(expected.minus(SLACK), expected);
    }
}
