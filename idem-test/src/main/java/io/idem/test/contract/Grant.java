package io.idem.test.contract;

import static io.idem.test.contract.StoreSection.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StepSection.Doing;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A grant, from which a rule says in order what happens to the record and what the store must answer. Every method that
 * does not return the grant of another owner returns this one.
 *
 * @param fences those of the grants of the story so far, this one included
 */
record Grant(StoreSection section, Request request, Claim.Granted claim, List<Long> fences) {

    Lease lease() {
        return claim.lease();
    }

    long fence() {
        return lease().fence();
    }

    IdempotencyStore store() {
        return section.store();
    }

    /** Returns a request of another owner for the same record, to whom the same number of attempts is allowed. */
    Request another() {
        return Request.of(lease().record()).limitedTo(request.maxAttempts());
    }

    Grant after(Duration time) {
        section.advance(time);
        return this;
    }

    /** Makes calls, whatever the answers are. */
    Grant then(Call... calls) {
        for (Call call : calls) {
            call.answer(this);
        }
        return this;
    }

    /** Returns the grant of another owner, which acquires the record now. */
    Grant next() {
        return granted(another());
    }

    private Grant granted(Request asked) {
        Grant next = section.granted(asked);
        List<Long> story = Stream.concat(fences.stream(), next.fences.stream()).toList();
        return new Grant(section, next.request, next.claim, story);
    }

    /** Returns the grant of another owner, which acquires the record after the lease. */
    Grant takeover() {
        return after(LEASE).next();
    }

    /** Allows other owners that number of attempts. */
    Grant allowing(int attempts) {
        return new Grant(section, request.limitedTo(attempts), claim, fences);
    }

    /** Lets another owner acquire the record and make calls. */
    Grant followedBy(Call... calls) {
        next().then(calls);
        return this;
    }

    /** Returns the same grant in the name of another owner. */
    Grant ofStranger() {
        return with(another().owner(), fence());
    }

    /** Returns the same grant with a fence that differs by a number. */
    Grant fenced(long by) {
        return with(lease().owner(), fence() + by);
    }

    private Grant with(OwnerToken owner, long fence) {
        Lease own = lease();
        Lease other = new Lease(own.record(), owner, fence, own.attempt(), own.duration(), own.retention());
        return new Grant(section, request, new Claim.Granted(other, claim.kind()), fences);
    }

    /** Asserts the answer to calls. */
    Grant gets(Object answer, Call... calls) {
        for (Call call : calls) {
            assertThat(call.answer(this)).isEqualTo(answer);
        }
        return this;
    }

    /** Asserts the answer to calls, each of which leaves the record the same to the byte. */
    Grant unchanged(Object answer, Call... calls) {
        for (Call call : calls) {
            assertThat(untouched(call)).isEqualTo(answer);
        }
        return this;
    }

    private Object untouched(Call call) {
        return section.leavingUntouched(lease().record(), () -> call.answer(this));
    }

    /** Asserts that no settlement of the owner is taken any more. */
    Grant hasNoRights(StoreAnswer lost) {
        return unchanged(lost, Call.RENEW, Call.COMPLETE, Call.FAIL, Call.REJECT);
    }

    /** Asserts that neither a stranger nor another fence of the owner may make a call. */
    Grant refusesOthers(Call call) {
        for (Grant other : List.of(ofStranger(), fenced(1), fenced(-1), fenced(2))) {
            other.unchanged(StoreSection.lost(RecordState.PENDING), call);
        }
        return this;
    }

    /** Asserts that the owner is granted its grant again. */
    Grant isReentrant() {
        return gets(new Claim.Granted(lease(), GrantKind.REENTRANT), Call.ask(request));
    }

    /** Asserts what another owner is granted, with a greater fence. */
    Grant isGranted(GrantKind kind, int attempt) {
        return grants(another(), kind, attempt);
    }

    Grant grants(Request asked, GrantKind kind, int attempt) {
        Grant next = granted(asked);
        assertThat(next.claim().kind()).isEqualTo(kind);
        assertThat(next.lease().attempt()).isEqualTo(attempt);
        assertThat(next.fence()).isGreaterThan(fence());
        return next;
    }

    Grant isInProgress() {
        assertThat(untouched(Call.ask(another()))).isInstanceOf(Claim.InProgress.class);
        return this;
    }

    Grant isMismatch() {
        return unchanged(new Claim.Mismatch(), Call.ask(another().fingerprinted(StoreSection.THOUSAND)));
    }

    Grant replays(StoredResult result) {
        return unchanged(new Claim.Replay(result, fence()), Call.ask(another()));
    }

    Grant isRejected(String reason) {
        return unchanged(new Claim.Rejected(reason, fence()), Call.ask(another()));
    }

    Grant isExhausted(int attempts) {
        return unchanged(new Claim.Exhausted(attempts, fence()), Call.ask(another()));
    }

    Grant is(RecordState state) {
        assertThat(snapshot().state()).isEqualTo(state);
        return this;
    }

    Grant has(Fingerprint fingerprint) {
        assertThat(snapshot().fingerprint()).isEqualTo(fingerprint);
        return this;
    }

    /** Asserts the state of the record after so many attempts, of which this was the last one. */
    Grant isLeft(RecordState state, int attempts) {
        assertThat(snapshot())
                .extracting(RecordSnapshot::state, RecordSnapshot::attempts, RecordSnapshot::fence)
                .containsExactly(state, attempts, fence());
        return this;
    }

    /** Asserts the steps that the owner is told, and no others. */
    Grant recalls(Doing... steps) {
        assertThat(recalled()).containsExactlyInAnyOrderElementsOf(each(steps));
        return this;
    }

    /** Asserts steps that the owner is told. */
    Grant knows(Doing... steps) {
        assertThat(recalled()).containsAll(each(steps));
        return this;
    }

    private List<RememberedStep> recalled() {
        Object answer = StepSection.RECALL.answer(this);
        assertThat(answer).isInstanceOf(StoreAnswer.Recalled.class);
        return ((StoreAnswer.Recalled) answer).steps().steps();
    }

    /** Asserts the steps that anybody may read, and no others. */
    Grant shows(Doing... steps) {
        RememberedSteps read = (RememberedSteps) untouched(StepSection.READ);
        assertThat(read.life()).isEqualTo(fences.get(0));
        assertThat(read.steps()).containsExactlyInAnyOrderElementsOf(each(steps));
        return this;
    }

    private List<RememberedStep> each(Doing... steps) {
        return Stream.of(steps).map(step -> step.by(this)).toList();
    }

    Grant isGone() {
        assertThat(store().inspect(lease().record())).isEmpty();
        return this;
    }

    private RecordSnapshot snapshot() {
        return store().inspect(lease().record()).orElseThrow();
    }
}
