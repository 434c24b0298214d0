package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.chaos.check.Inquest.Hurt;
import io.idem.workshop.chaos.check.Inquest.Killed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a duplicate is excused only by a cause that the events of its own key show. */
class InquestTest {

    private static final String LANE = "rabbit-redis";
    private static final String KEY = "a";
    private static final long LEASE = 2_000;
    private static final Hurt FREEZE = new Hurt("a freeze", 1_100, 4_000, Hurt.Kind.STALLS);
    private static final Hurt FLUSH = new Hurt("FLUSHALL", 1_100, 1_100, Hurt.Kind.FORGETS);
    private static final Killed OWNER = new Killed(1, 1_500);

    @Test
    void aLeaseThatAJumpOfTheClockEndedWasOutlived() {
        Hurt jump = new Hurt("a jump", 1_050, 1_200, Hurt.Kind.ENDS_LEASES);

        assertThat(cause(List.of(), List.of(jump), event(1_000, "FRESH", 1), event(1_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.LEASE_OUTLIVED);
        assertThat(cause(List.of(), List.of(jump), event(1_210, "FRESH", 1), event(1_300, "TAKEOVER", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void anOwnerThatWasKilledAfterItsCommitIsACrash() {
        assertThat(cause(List.of(OWNER), List.of(), event(1_000, "FRESH", 1), event(3_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.CRASH);
    }

    @Test
    void theDeathOfAnotherWorkerExcusesNothing() {
        assertThat(cause(
                        List.of(new Killed(9, 1_500)),
                        List.of(),
                        event(1_000, "FRESH", 1),
                        event(3_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void aLeaseThatEndedWhileSomethingWasHurtWasOutlived() {
        assertThat(cause(List.of(), List.of(FREEZE), event(1_000, "FRESH", 1), event(3_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.LEASE_OUTLIVED);
    }

    @Test
    void aLeaseThatEndedThoughNothingWasHurtIsAMistake() {
        assertThat(cause(List.of(), List.of(), event(1_000, "FRESH", 1), event(3_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void anOwnerThatStoodStillForMostOfItsLeaseOutlivedIt() {
        Stalls stalls = new Stalls(List.of(new Stall(1, 1_500, 3_050)), 7);
        Doubled doubled = of(stalls);

        assertThat(doubled.cause()).isEqualTo(Cause.LEASE_OUTLIVED);
        assertThat(doubled.evidence()).contains("stood still for 1500 ms");
    }

    @Test
    void anOwnerWhoseWayToRedisStoodStillOutlivedItsLeaseToo() {
        assertThat(of(new Stalls(List.of(new Stall(7, 1_500, 3_050)), 7)).cause())
                .isEqualTo(Cause.LEASE_OUTLIVED);
    }

    @Test
    void aStallThatLeftTimeForARenewalOrWasAnotherWorkersExcusesNothing() {
        assertThat(of(new Stalls(List.of(new Stall(1, 1_000, 1_900)), 7)).cause())
                .isEqualTo(Cause.UNEXPLAINED);
        assertThat(of(new Stalls(List.of(new Stall(2, 1_000, 3_050)), 7)).cause())
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void anOwnerThatWorkedOnAfterItHadBeenTakenOverIsAMistake() {
        LedgerRow late = new LedgerRow(LANE, KEY, 4_000, 1);
        LedgerRow successor = new LedgerRow(LANE, KEY, 3_200, 2);
        assertThat(new Inquest(LEASE, List.of(), List.of(FREEZE), Stalls.NONE)
                        .of(late, successor, List.of(event(1_000, "FRESH", 1), event(3_100, "TAKEOVER", 2)))
                        .cause())
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void aTakeoverBeforeTheLeaseHadEndedIsAMistake() {
        assertThat(cause(
                        List.of(),
                        List.of(FREEZE),
                        event(1_000, "FRESH", 1),
                        event(2_900, "RENEWED", 1),
                        event(3_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void aRecordThatRedisForgotIsLostData() {
        assertThat(cause(List.of(), List.of(FLUSH), event(1_000, "FRESH", 1), event(1_200, "FRESH", 2)))
                .isEqualTo(Cause.DATA_LOST);
    }

    @Test
    void aRecordThatIsGoneThoughRedisLostNothingIsAMistake() {
        assertThat(cause(List.of(), List.of(FREEZE), event(1_000, "FRESH", 1), event(1_200, "FRESH", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void whatWasConfirmedAsCompletedAndIsTakenOverWasForgotten() {
        assertThat(cause(
                        List.of(),
                        List.of(FREEZE),
                        event(1_000, "FRESH", 1),
                        event(1_050, "COMPLETED", 1),
                        event(3_100, "TAKEOVER", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void aKeyThatItsOwnerGaveBackAfterItsCommitIsAMistake() {
        assertThat(cause(List.of(OWNER), List.of(FREEZE, FLUSH), event(1_000, "FRESH", 1), event(1_200, "RETRY", 2)))
                .isEqualTo(Cause.UNEXPLAINED);
    }

    @Test
    void twoEffectsOfOneGrantAreAMistake() {
        LedgerRow row = new LedgerRow(LANE, KEY, 1_020, 1);
        assertThat(new Inquest(LEASE, List.of(OWNER), List.of(FREEZE, FLUSH), Stalls.NONE)
                        .of(row, row, List.of(event(1_000, "FRESH", 1)))
                        .cause())
                .isEqualTo(Cause.UNEXPLAINED);
    }

    private static Doubled of(Stalls stalls) {
        return new Inquest(LEASE, List.of(), List.of(), stalls)
                .of(
                        new LedgerRow(LANE, KEY, 1_020, 1),
                        new LedgerRow(LANE, KEY, 3_200, 2),
                        List.of(event(1_000, "FRESH", 1), event(3_100, "TAKEOVER", 2)));
    }

    private static Cause cause(List<Killed> killed, List<Hurt> hurts, Event... story) {
        return new Inquest(LEASE, killed, hurts, Stalls.NONE)
                .of(new LedgerRow(LANE, KEY, 1_020, 1), new LedgerRow(LANE, KEY, 3_200, 2), List.of(story))
                .cause();
    }

    private static Event event(long at, String what, long owner) {
        return new Event(at, what, LANE, KEY, owner, owner);
    }
}
