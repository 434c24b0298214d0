package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.page.LedgerView;
import io.idem.demo.report.Finding;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The page reports an effect as lost only when it cannot happen any more. */
class LedgerTallyTest {

    private static final List<Finding> COMPLETE = List.of(ledger(List.of()));
    private static final List<Finding> MISSING = List.of(ledger(List.of("north/k-1")));

    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicLong clock = new AtomicLong(-5);
    private final LedgerTally tally = new LedgerTally(busy::get, clock::get);

    private static Finding ledger(List<String> lost) {
        return new Finding("payments", "ledger", 2, 2 - lost.size(), lost, List.of(), List.of(), List.of());
    }

    private void muchLater() {
        clock.addAndGet(LedgerTally.CALM.toNanos() + 1);
    }

    @Test
    void whatIsMissingIsUnderWayUntilNothingHasBeenForLong() {
        LedgerView first = tally.of(MISSING);
        assertThat(first.underWay()).isOne();
        assertThat(first.lost()).isZero();

        muchLater();

        LedgerView later = tally.of(MISSING);
        assertThat(later.underWay()).isZero();
        assertThat(later.lost()).isOne();
        assertThat(later.promised()).isEqualTo(2);
        assertThat(later.rows()).isOne();
        assertThat(later.consumers().get(0).missing()).isOne();
    }

    @Test
    void nothingIsLostWhileSomethingIsUnderWay() {
        busy.set(true);
        muchLater();
        assertThat(tally.of(MISSING).lost()).isZero();

        busy.set(false);
        assertThat(tally.of(MISSING).lost()).as("just ended").isZero();
        muchLater();
        assertThat(tally.of(MISSING).lost()).isOne();
    }

    @Test
    void itIsCalmOnlyFromWhenSomethingIsMissing() {
        muchLater();
        assertThat(tally.of(COMPLETE).lost()).isZero();

        assertThat(tally.of(MISSING).underWay()).isOne();
    }

    @Test
    void effectsThatNobodyAskedForOrWithAnotherAmountAreWrong() {
        LedgerView view = tally.of(List.of(
                ledger(List.of()),
                new Finding("receipts", "receipts", 2, 4, List.of(), List.of("k"), List.of("k"), List.of("a", "b"))));

        assertThat(view.doubled()).isOne();
        assertThat(view.wrong()).isEqualTo(3);
        assertThat(view.promised()).as("of the ledger").isEqualTo(2);
    }
}
