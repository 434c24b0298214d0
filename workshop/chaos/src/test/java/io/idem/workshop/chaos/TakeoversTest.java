package io.idem.workshop.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.chaos.check.Event;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.fault.FaultRecord;
import io.idem.workshop.chaos.stage.Stage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the times until a key's next owner, and the part of them beyond the unavoidable wait. */
class TakeoversTest {

    private static final String SCOPE = "kafka-inbox";
    private static final String KEY = "s1.p1-kill.kafka-inbox.7";
    private static final long STRUCK = 10_000;
    private static final long GRANTED = STRUCK - 500;
    private static final long LEASE_END = GRANTED + Stage.LEASE.toMillis();

    @Test
    void whatComesAfterTheLeaseCountsFromItsRedelivery() {
        Takeovers takeovers = takeovers(
                FaultClass.KILL,
                event(GRANTED, "FRESH", 1),
                event(LEASE_END + 1_200, "ASKED", 2),
                event(LEASE_END + 1_290, "TAKEOVER", 2));

        assertThat(takeovers.durations(SCOPE).millis()).containsExactly(LEASE_END + 1_290 - STRUCK);
        assertThat(takeovers.redeliveries(SCOPE).millis()).containsExactly(LEASE_END + 1_200 - STRUCK);
        assertThat(takeovers.overdue(SCOPE).millis()).containsExactly(90L);
    }

    @Test
    void whatComesBeforeTheLeaseEndsCountsFromThere() {
        Takeovers takeovers = takeovers(
                FaultClass.KILL,
                event(GRANTED, "FRESH", 1),
                event(STRUCK + 30, "ASKED", 2),
                event(LEASE_END + 40, "ASKED", 2),
                event(LEASE_END + 45, "TAKEOVER", 2));

        assertThat(takeovers.redeliveries(SCOPE).millis()).containsExactly(30L);
        assertThat(takeovers.overdue(SCOPE).millis()).containsExactly(45L);
    }

    @Test
    void aLeaseThatItsOldOwnerRenewedOnceMoreLastsLonger() {
        Takeovers takeovers = takeovers(
                FaultClass.FREEZE,
                event(GRANTED, "FRESH", 1),
                event(STRUCK + 4_300, "RENEWED", 1),
                event(STRUCK + 4_500, "ASKED", 2),
                event(STRUCK + 6_320, "TAKEOVER", 2));

        assertThat(takeovers.overdue(SCOPE).millis()).containsExactly(20L);
    }

    @Test
    void whereThereIsNoLeaseOnlyTheRedeliveryIsWaitedFor() {
        Takeovers takeovers = new Takeovers(
                List.of(new FaultRecord(FaultClass.KILL, "", STRUCK, STRUCK, SCOPE, KEY, SCOPE)),
                List.of(
                        event(GRANTED, "FRESH", 1),
                        event(STRUCK + 30, "ASKED", 2),
                        event(STRUCK + 1_040, "ASKED", 2),
                        event(STRUCK + 1_045, "FRESH", 2)),
                Duration.ZERO);

        assertThat(takeovers.redeliveries(SCOPE).millis()).containsExactly(30L);
        assertThat(takeovers.overdue(SCOPE).millis()).containsExactly(1_015L);
    }

    @Test
    void workThatOnlyTakesLongIsNotTakenOver() {
        Takeovers takeovers = takeovers(
                FaultClass.BUSY,
                event(GRANTED, "FRESH", 1),
                event(STRUCK + 30, "ASKED", 2),
                event(STRUCK + 90_000, "TAKEOVER", 2));

        assertThat(takeovers.overdue(SCOPE).millis()).isEmpty();
    }

    private static Takeovers takeovers(FaultClass faultClass, Event... events) {
        FaultRecord fault = new FaultRecord(faultClass, "BEGUN in " + SCOPE, STRUCK, STRUCK + 5, SCOPE, KEY, SCOPE);
        return new Takeovers(List.of(fault), List.of(events), Stage.LEASE);
    }

    /** Returns an event whose fence is the process id. */
    private static Event event(long at, String what, long pid) {
        return new Event(at, what, SCOPE, KEY, pid, pid);
    }
}
