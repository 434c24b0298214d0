package io.idem.workshop.chaos.check;

import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.outside.LedgerProbe;
import java.util.List;
import java.util.Set;

/** Reads the ledger of effects. Thread-safe. */
public final class Ledger {

    private static final String SELECT = "SELECT lane || ' ' || idempotency_key || ' ' ||"
            + " floor(extract(epoch FROM written_at) * 1000)::bigint || ' ' || fence FROM " + Names.LEDGER
            + " WHERE idempotency_key LIKE ? || '%' ORDER BY id";

    private static final String SELECT_EFFECTS =
            "SELECT lane || ' ' || idempotency_key || ' ' || attempt || ' ' || fence FROM " + Names.LEDGER
                    + " WHERE idempotency_key LIKE ? || '%' ORDER BY id";

    private static final String SELECT_STEPS =
            "SELECT id || ' ' || lane || ' ' || idempotency_key || ' ' || step || ' '"
                    + " || what || ' ' || provider_key || ' ' || fence || ' ' || receipt FROM "
                    + Names.STEPS
                    + " WHERE idempotency_key LIKE ? || '%' ORDER BY id";

    private static final String SELECT_LANES = "SELECT DISTINCT lane FROM " + Names.LEDGER
            + " WHERE written_at >= to_timestamp(?::double precision / 1000)";

    private final LedgerProbe probe;

    /** Creates a reader of the ledger in this database. */
    public Ledger(LedgerProbe probe) {
        this.probe = probe;
    }

    /** Returns the effects of keys with this prefix, in their order. */
    public List<LedgerRow> rows(String prefix) {
        return probe.select(SELECT, prefix).stream().map(Ledger::row).toList();
    }

    /** Returns the effects of keys with this prefix, each with its grant. */
    public List<Effect> effects(String prefix) {
        return probe.select(SELECT_EFFECTS, prefix).stream().map(Ledger::effect).toList();
    }

    private static Effect effect(String text) {
        String[] words = text.split(" ", 4);
        return new Effect(words[0], words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]));
    }

    /** Returns the events of steps of keys with this prefix, in their order. */
    public List<StepEvent> steps(String prefix) {
        return probe.select(SELECT_STEPS, prefix).stream().map(StepEvent::of).toList();
    }

    /** Returns the lanes with an effect since a moment, in milliseconds since the epoch. */
    public Set<String> lanesSince(long millis) {
        return Set.copyOf(probe.select(SELECT_LANES, Long.toString(millis)));
    }

    private static LedgerRow row(String text) {
        String[] words = text.split(" ", -1);
        return new LedgerRow(words[0], words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
    }
}
