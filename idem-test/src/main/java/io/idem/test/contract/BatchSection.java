package io.idem.test.contract;

import static io.idem.Claim.GrantKind.REENTRANT;
import static io.idem.Claim.GrantKind.TAKEOVER;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.RecordState.REJECTED;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/** The rules of batches: a call with many records has the effect of one call for each, in their order. */
abstract class BatchSection extends StoreSection {

    private static final int MANY = 1000;

    private List<Claim> acquireAll(Request... requests) {
        return answers(store().acquire(each(List.of(requests), Request::build)));
    }

    private List<StoreAnswer> settleAll(RecordUpdate... requests) {
        return answers(store().update(List.of(requests)));
    }

    private static <T> List<T> answers(List<CompletionStage<T>> stages) {
        return each(stages, stage -> stage.toCompletableFuture().join());
    }

    private static Lease leaseIn(Claim claim) {
        return granted(claim).lease();
    }

    private static <T, R> List<R> each(List<T> all, Function<T, R> change) {
        return all.stream().map(change).toList();
    }

    final Rule noRequestsGetNoAnswers = () -> {
        assertThat(store().acquire(List.of())).isEmpty();
        assertThat(store().update(List.of())).isEmpty();
    };

    final Rule oneRequestMayBeAskedForByItself = () -> {
        Lease lease = leaseIn(acquireAll(request()).get(0));

        assertThat(settleAll(new RecordUpdate.Complete(lease, RECEIPT))).containsExactly(ok(RECEIPT));
        assertThat(acquire(request())).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    };

    final Rule eachRequestGetsItsOwnAnswerAtItsOwnPlace = () -> {
        Grant completed = granted(another()).then(Call.COMPLETE);
        Grant rejected = granted(another()).then(Call.REJECT);
        Grant failed = granted(another()).then(Call.fail(ofMinutes(20)));
        Grant pending = granted(another().fingerprinted(HUNDRED));

        List<Claim> claims = acquireAll(
                completed.another(),
                request(),
                rejected.another(),
                failed.another(),
                pending.another().fingerprinted(THOUSAND),
                pending.another());

        assertThat(claims.get(0)).isEqualTo(new Claim.Replay(RECEIPT, completed.fence()));
        assertThat(leaseIn(claims.get(1)).record()).isEqualTo(record);
        assertThat(claims.get(2)).isEqualTo(new Claim.Rejected("no", rejected.fence()));
        assertThat(claims.get(3)).isInstanceOf(Claim.NotYet.class);
        assertThat(claims.get(4)).isEqualTo(new Claim.Mismatch());
        assertThat(claims.get(5)).isInstanceOf(Claim.InProgress.class);
    };

    final Rule everyRequestKeepsItsOwnArguments = () -> {
        Request longer = another().leasedFor(LEASE.multipliedBy(2));
        List<Claim> claims = acquireAll(request().fingerprinted(HUNDRED).above(1L << 52), longer);

        advance(LEASE);

        assertThat(leaseIn(claims.get(0)).fence()).isGreaterThan(1L << 52);
        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        assertThat(acquire(Request.of(longer.record()))).isInstanceOf(Claim.InProgress.class);
        assertThat(granted().claim().kind()).isEqualTo(TAKEOVER);
    };

    final Rule oneRecordThatIsAskedForTwiceIsGrantedToTheFirst = () -> {
        assertThat(acquireAll(request(), another(), request()))
                .hasExactlyElementsOfTypes(Claim.Granted.class, Claim.Granted.class, Claim.InProgress.class);
    };

    final Rule oneOwnerThatAsksTwiceInOneCallHasOneGrant = () -> {
        Request request = request();

        List<Claim> claims = acquireAll(request, request);

        assertThat(claims.get(1)).isEqualTo(new Claim.Granted(leaseIn(claims.get(0)), REENTRANT));
        assertThat(snapshot().attempts()).isOne();
    };

    final Rule settlesOfAllKindsMayTravelTogether = () -> {
        Grant completed = granted();
        Grant failed = granted(another());
        Grant rejected = granted(another());
        Grant renewed = granted(another()).after(LEASE.minusMinutes(2));

        List<StoreAnswer> settlements = settleAll(
                new RecordUpdate.Renew(renewed.lease()),
                new RecordUpdate.Complete(completed.lease(), RECEIPT),
                new RecordUpdate.Fail(failed.lease(), Duration.ZERO),
                new RecordUpdate.Complete(renewed.ofStranger().lease(), OTHER_RECEIPT),
                new RecordUpdate.Reject(rejected.lease(), "no"));

        assertThat(settlements).containsExactly(ok(), ok(RECEIPT), ok(), lost(PENDING), ok());
        completed.is(COMPLETED);
        failed.is(FAILED);
        rejected.is(REJECTED);
        renewed.is(PENDING).after(LEASE.minusMinutes(2)).isInProgress();
    };

    final Rule settlesOfOneRecordTakeEffectInTheirOrder = () -> {
        Lease lease = granted().lease();

        assertThat(settleAll(
                        new RecordUpdate.Renew(lease),
                        new RecordUpdate.Complete(lease, RECEIPT),
                        new RecordUpdate.Fail(lease, Duration.ZERO),
                        new RecordUpdate.Renew(lease),
                        new RecordUpdate.Complete(lease, OTHER_RECEIPT)))
                .containsExactly(
                        ok(),
                        ok(RECEIPT),
                        lost(COMPLETED, RECEIPT),
                        new StoreAnswer.AlreadySettled(COMPLETED),
                        ok(RECEIPT));
    };

    final Rule aThousandRecordsGoInOneCall = () -> {
        Request[] requests = Stream.generate(this::another).limit(MANY).toArray(Request[]::new);

        List<Lease> leases = each(acquireAll(requests), BatchSection::leaseIn);
        List<RecordUpdate> settles = each(leases, lease -> new RecordUpdate.Complete(lease, resultOf(lease)));

        assertThat(each(leases, Lease::record)).isEqualTo(each(List.of(requests), Request::record));
        assertThat(settleAll(settles.toArray(RecordUpdate[]::new)))
                .isEqualTo(each(leases, lease -> ok(resultOf(lease))));
        assertThat(acquireAll(requests))
                .isEqualTo(each(leases, lease -> new Claim.Replay(resultOf(lease), lease.fence())));
    };

    private static StoredResult resultOf(Lease lease) {
        return StoredResult.of("text", lease.record().key().value().getBytes(StandardCharsets.UTF_8));
    }

    final Rule aBatchThatIsSentTwiceHasTheEffectOfOne = () -> {
        Request[] requests = {request(), another()};
        List<Lease> leases = each(acquireAll(requests), BatchSection::leaseIn);

        assertThat(acquireAll(requests)).isEqualTo(each(leases, lease -> new Claim.Granted(lease, REENTRANT)));

        RecordUpdate[] settles = {
            new RecordUpdate.Complete(leases.get(0), RECEIPT), new RecordUpdate.Fail(leases.get(1), ofMinutes(20))
        };
        List<StoreAnswer> first = settleAll(settles);
        assertThat(leavingUntouched(() -> leavingUntouched(leases.get(1).record(), () -> settleAll(settles))))
                .isEqualTo(first);
    };
}
