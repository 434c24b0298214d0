package io.idem.demo.supervisor;

import io.idem.demo.page.LedgerView;
import io.idem.demo.page.LedgerView.Row;
import io.idem.demo.report.Finding;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Sums findings up for the page: what is missing is under way, and lost once nothing has been under way for long. For
 * one thread.
 */
final class LedgerTally {

    /** Longer than a consumer may rest before it notices that Redis is back, and longer than any lease. */
    static final Duration CALM = Duration.ofSeconds(30);

    private final BooleanSupplier busy;
    private final LongSupplier nanoTime;
    private long lastBusy;

    /**
     * {@code busy} says whether something is under way, or is kept from being so; not asked while nothing is missing.
     */
    LedgerTally(BooleanSupplier busy, LongSupplier nanoTime) {
        this.busy = busy;
        this.nanoTime = nanoTime;
        this.lastBusy = nanoTime.getAsLong();
    }

    LedgerView of(List<Finding> findings) {
        List<Finding> ledger = findings.stream()
                .filter(finding -> finding.table().equals("ledger"))
                .toList();
        int missing = sum(findings, finding -> finding.lost().size());
        boolean calm = isCalm(missing);
        return new LedgerView(
                sum(ledger, Finding::expected),
                sum(ledger, Finding::rows),
                calm ? 0 : missing,
                calm ? missing : 0,
                sum(findings, finding -> finding.doubled().size()),
                sum(
                        findings,
                        finding ->
                                finding.altered().size() + finding.unexpected().size()),
                findings.stream().map(LedgerTally::row).toList());
    }

    private boolean isCalm(int missing) {
        if (missing == 0 || busy.getAsBoolean()) {
            lastBusy = nanoTime.getAsLong();
        }
        return nanoTime.getAsLong() - lastBusy > CALM.toNanos();
    }

    private static int sum(List<Finding> findings, ToIntFunction<Finding> what) {
        return findings.stream().mapToInt(what).sum();
    }

    private static Row row(Finding finding) {
        return new Row(
                finding.consumer(),
                finding.table(),
                finding.expected(),
                finding.rows(),
                finding.lost().size(),
                finding.doubled().size());
    }
}
