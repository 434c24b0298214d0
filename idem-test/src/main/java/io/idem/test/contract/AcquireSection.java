package io.idem.test.contract;

import static io.idem.Claim.GrantKind.FRESH;
import static io.idem.Claim.GrantKind.RETRY;
import static io.idem.Claim.GrantKind.TAKEOVER;
import static io.idem.RecordState.COMPLETED;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.RENEW;
import static io.idem.test.contract.Call.REOPEN;
import static io.idem.test.contract.Call.ask;
import static io.idem.test.contract.Call.complete;
import static io.idem.test.contract.Call.fail;
import static io.idem.test.contract.Call.reject;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.test.TestIdempotency;
import java.time.Duration;
import java.util.List;

/** The rules of ACQUIRE, which grants the right to work. */
abstract class AcquireSection extends StoreSection {

    private static final int THREADS = 64;
    private static final Duration HOUR = ofHours(1);

    final Rule theSameOwnerIsGrantedItsFirstGrantAgain = () -> granted().isReentrant();

    final Rule theSameOwnerIsGrantedItsLapsedLeaseAgainIfNobodyTookIt =
            () -> granted().after(LEASE.multipliedBy(2)).isReentrant();

    final Rule aLapsedLeaseIsTakenOverWithAGreaterFence =
            () -> granted().after(LEASE).isGranted(TAKEOVER, 2);

    final Rule aFailedRecordIsGrantedForARetryWithAGreaterFence =
            () -> granted().then(FAIL).isGranted(RETRY, 2);

    final Rule completedWorkIsReplayed = () -> granted().then(COMPLETE).replays(RECEIPT);

    final Rule rejectedWorkStaysRejected =
            () -> granted().then(reject("card stolen, ça suffit")).isRejected("card stolen, ça suffit");

    final Rule anotherPayloadUnderTheSameKeyIsAMismatchInEveryState = () -> hundred()
            .isMismatch()
            .then(fail(HOUR))
            .isMismatch()
            .after(HOUR)
            .isMismatch()
            .next()
            .then(COMPLETE)
            .isMismatch()
            .then(REOPEN)
            .isMismatch()
            .followedBy(REJECT)
            .isMismatch();

    final Rule aFingerprintThatIsNotGivenMatchesAnyAndForgetsNone =
            () -> hundred().then(FAIL).followedBy(FAIL).has(HUNDRED);

    final Rule theLastAllowedOwnerMayAskAgain =
            () -> granted(request().limitedTo(1)).isReentrant();

    final Rule allowedGrantsAreUsedUpByFailuresAndTakeoversAlike =
            () -> granted(request().limitedTo(2))
                    .then(FAIL)
                    .next()
                    .isInProgress()
                    .after(LEASE)
                    .isExhausted(2)
                    .allowing(3)
                    .isGranted(TAKEOVER, 3);

    final Rule finishedWorkIsAnsweredEvenIfAllGrantsAreUsedUp =
            () -> granted(request().limitedTo(1)).then(COMPLETE).replays(RECEIPT);

    final Rule fencesGrowEvenIfTheRecordWasForgottenInBetween =
            () -> granted().after(RETENTION).isGone().isGranted(FRESH, 1);

    final Rule aRecordOutlivesItsLeaseByItsRetention =
            () -> hundred().after(NEARLY_RETENTION).isMismatch().isGranted(TAKEOVER, 2);

    final Rule aLeaseLongerThanTheRetentionKeepsTheRecord =
            () -> granted(request().leasedFor(HOUR.multipliedBy(2)).retainedFor(SLACK))
                    .after(HOUR)
                    .isInProgress();

    final Rule theFirstAcquireIsGrantedFresh = () -> {
        Grant grant = hundred();

        Lease expected = new Lease(record, grant.request().owner(), grant.fence(), 1, LEASE, RETENTION);
        assertThat(grant.claim()).isEqualTo(new Claim.Granted(expected, FRESH));
        assertThat(grant.fence()).isPositive();
    };

    final Rule anotherOwnerIsToldHowLongTheLeaseGoesOn = () -> {
        granted().after(ofMinutes(2));

        Claim claim = leavingUntouched(() -> acquire(request()));

        assertThat(claim).isInstanceOf(Claim.InProgress.class);
        assertAbout(((Claim.InProgress) claim).remaining(), LEASE.minusMinutes(2));
    };

    final Rule aRepeatedAcquireExtendsTheLeaseAndNeverShortensIt = () -> {
        Grant grant = granted().after(LEASE.minusMinutes(2)).isReentrant();
        granted(grant.request().leasedFor(SLACK)).after(LEASE.minusMinutes(2)).isInProgress();
    };

    final Rule aFailedRecordIsNotGrantedBeforeItsDelay = () -> {
        Grant grant = granted().then(fail(ofMinutes(20))).after(ofMinutes(5));

        Claim claim = leavingUntouched(() -> acquire(request()));

        assertThat(claim).isInstanceOf(Claim.NotYet.class);
        assertAbout(((Claim.NotYet) claim).delay(), ofMinutes(15));
        grant.after(ofMinutes(15)).isGranted(RETRY, 2);
    };

    final Rule theOwnerItselfIsRefusedWithAnotherPayload = () -> {
        Grant grant = hundred();
        grant.unchanged(new Claim.Mismatch(), ask(grant.request().fingerprinted(THOUSAND)));
    };

    final Rule aFingerprintThatIsGivenLaterIsRemembered = () -> {
        granted().then(FAIL).has(Fingerprint.NONE);
        hundred().has(HUNDRED);
    };

    final Rule aFenceIsGreaterThanTheFloor = () -> {
        long floor = 1L << 52;
        long higher = floor + 1_000_000;

        Grant first = granted(request().above(floor));
        Grant second = first.takeover().after(LEASE);
        Grant third = granted(request().above(higher));

        assertThat(first.fence()).isGreaterThan(floor);
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(third.fence()).isGreaterThan(higher);
    };

    final Rule aRepeatedAcquireDoesNotShortenTheLifeOfTheRecordBelowItsLease = () -> {
        Request request = request().leasedFor(HOUR.multipliedBy(2)).retainedFor(HOUR.multipliedBy(2));
        granted(request);

        granted(request.leasedFor(SLACK).retainedFor(SLACK)).after(HOUR).isInProgress();
    };

    final Rule scopesKeysAndTenantsDoNotTouchEachOther = () -> {
        Grant grant = granted();
        String key = record.key().value();
        List<RecordId> others = List.of(
                new RecordId(record.key(), new Scope("receipts")),
                new RecordId(new IdempotencyKey("other", key), record.scope()),
                new RecordId(IdempotencyKey.of(key + "x"), record.scope()));

        for (RecordId other : others) {
            Grant theirs = leavingUntouched(() -> granted(Request.of(other)));
            leavingUntouched(other, () -> grant.then(RENEW));
            leavingUntouched(() -> theirs.then(complete(OTHER_RECEIPT)));
        }
        others.forEach(other -> leavingUntouched(other, () -> grant.then(COMPLETE)));
        grant.is(COMPLETED);
    };

    final Rule ofManyWhoAskAtOnceOneIsGranted = () -> {
        List<Claim> answers =
                new TestIdempotency().rehearse(() -> acquire(request())).concurrently(THREADS);

        assertThat(answers).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Claim.InProgress.class::isInstance).hasSize(THREADS - 1);
    };
}
