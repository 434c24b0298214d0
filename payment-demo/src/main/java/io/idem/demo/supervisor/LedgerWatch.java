package io.idem.demo.supervisor;

import io.idem.demo.page.LedgerView;
import io.idem.demo.report.Check;
import io.idem.demo.report.Consumer;
import io.idem.demo.report.Effect;
import io.idem.demo.report.Finding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the rows of the tables at intervals, as long as new ones may come. Thread-safe. */
final class LedgerWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerWatch.class);
    private static final long PAUSE_MILLIS = 250;

    /** The pause after a count, as a multiple of the count's duration. */
    private static final int REST = 5;

    private final Audience audience;
    private final Witness witness;
    private final LedgerTally tally;
    private final Thread thread = new Thread(this::watch, "ledger-watch");
    private volatile LedgerView view = LedgerView.EMPTY;

    /**
     * {@code busy} says whether something is under way, or is kept from being so; not asked while nothing is missing.
     */
    LedgerWatch(Audience audience, Witness witness, BooleanSupplier busy) {
        this.audience = audience;
        this.witness = witness;
        this.tally = new LedgerTally(busy, System::nanoTime);
        thread.setDaemon(true);
    }

    LedgerWatch start() {
        thread.start();
        return this;
    }

    LedgerView view() {
        return view;
    }

    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long start = System.nanoTime();
                count();
                long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                TimeUnit.MILLISECONDS.sleep(Math.max(PAUSE_MILLIS, REST * took));
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void count() {
        try {
            view = tally.of(findings());
        } catch (RuntimeException cannot) {
            if (!Thread.currentThread().isInterrupted()) {
                LOG.warn("The tables cannot be counted now; the page shows the latest count", cannot);
            }
        }
    }

    /** Reads the effects first, so that the request of each effect is among the requests that are read afterwards. */
    private List<Finding> findings() {
        Map<Consumer, List<Effect>> effects = new EnumMap<>(Consumer.class);
        for (Consumer consumer : Consumer.values()) {
            effects.put(consumer, witness.effects(consumer));
        }
        Check check = new Check(audience.exchanges());
        List<Finding> findings = new ArrayList<>();
        effects.forEach((consumer, found) -> findings.add(check.of(consumer, found)));
        return findings;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
