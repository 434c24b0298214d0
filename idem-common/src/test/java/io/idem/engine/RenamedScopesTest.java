package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RenamedScopesTest {

    private static final Scope BEFORE = new Scope("payments");
    private static final Scope NOW = new Scope("payments-eu");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1});

    private final AtomicLong seconds = new AtomicLong(1_800_000_000);
    private final InstantSource clock = () -> Instant.ofEpochSecond(seconds.get());
    private final IdempotencyStore store = new InMemoryIdempotencyStore(clock);
    private final IdempotencyStore renamed = new RenamedScopes(store, Map.of(NOW, BEFORE), clock);
    private final IdempotencyKey key = IdempotencyKey.of("k");

    private AcquireRequest request(Scope scope) {
        return request(scope, Fingerprint.NONE);
    }

    private AcquireRequest request(Scope scope, Fingerprint fingerprint) {
        return new AcquireRequest(
                new RecordId(key, scope),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                fingerprint,
                0,
                0);
    }

    private Lease before() {
        return ((Claim.Granted) store.acquire(request(BEFORE))).lease();
    }

    private Claim.Granted grantedNow() {
        Claim claim = renamed.acquire(request(NOW));
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return (Claim.Granted) claim;
    }

    @Test
    void workFinishedUnderTheFormerNameIsNotRunAgain() {
        Lease lease = before();
        store.complete(lease, RECEIPT);

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    }

    @Test
    void workRejectedUnderTheFormerNameStaysRejected() {
        Lease lease = before();
        store.reject(lease, "no");

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.Rejected("no", lease.fence()));
    }

    @Test
    void workThatStillRunsUnderTheFormerNameIsWaitedFor() {
        before();

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.InProgress(LEASE));
    }

    @Test
    void anOwnerThatDiedUnderTheFormerNameIsTakenOverWithAHigherFence() {
        Lease dead = before();
        seconds.addAndGet(LEASE.toSeconds() + 6);

        Claim.Granted granted = grantedNow();

        assertThat(granted.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(granted.lease().fence()).isGreaterThan(dead.fence());
        assertThat(granted.lease().record().scope()).isEqualTo(NOW);
    }

    @Test
    void aRepeatedAcquireIsToldToo() {
        before();
        seconds.addAndGet(LEASE.toSeconds() + 6);
        AcquireRequest unheard = request(NOW);
        renamed.acquire(unheard);

        Claim again = renamed.acquire(unheard);

        assertThat(again)
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
    }

    @Test
    void aLeaseThatEndedOnlyJustIsLeftAlone() {
        before();
        seconds.addAndGet(LEASE.toSeconds() + 1);

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.InProgress(Duration.ofSeconds(1)));
    }

    @Test
    void aFailureUnderTheFormerNameIsRetriedAfterItsDelay() {
        store.fail(before(), Duration.ofSeconds(10));

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.NotYet(Duration.ofSeconds(10)));
        seconds.addAndGet(10);
        assertThat(grantedNow().kind()).isEqualTo(GrantKind.RETRY);
    }

    @Test
    void anotherPayloadUnderTheFormerNameIsAMismatch() {
        Fingerprint hundred = Fingerprint.of("100".getBytes(StandardCharsets.UTF_8));
        Fingerprint thousand = Fingerprint.of("1000".getBytes(StandardCharsets.UTF_8));
        store.acquire(request(BEFORE, hundred));

        assertThat(renamed.acquire(request(NOW, thousand))).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void newWorkAndOtherScopesAreAsEver() {
        assertThat(grantedNow().kind()).isEqualTo(GrantKind.FRESH);
        assertThat(renamed.acquire(request(NOW))).isInstanceOf(Claim.InProgress.class);
        assertThat(renamed.acquire(request(new Scope("receipts")))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aBatchLooksUnderFormerNamesAndKeepsItsOrder() {
        Lease finished = before();
        store.complete(finished, RECEIPT);

        List<Claim> claims =
                renamed
                        .acquire(List.of(request(new Scope("mail")), request(NOW), request(new Scope("ledger"))))
                        .stream()
                        .map(claim -> claim.toCompletableFuture().join())
                        .toList();

        assertThat(claims.get(0)).isInstanceOf(Claim.Granted.class);
        assertThat(claims.get(1)).isEqualTo(new Claim.Replay(RECEIPT, finished.fence()));
        assertThat(((Claim.Granted) claims.get(2)).lease().record().scope()).isEqualTo(new Scope("ledger"));
    }
}
