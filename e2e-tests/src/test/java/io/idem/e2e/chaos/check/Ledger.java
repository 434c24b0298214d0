package io.idem.e2e.chaos.check;

import io.idem.e2e.chaos.worker.Names;
import io.idem.e2e.outside.LedgerProbe;
import java.util.List;

/** Reads the ledger. Thread-safe. */
public final class Ledger {

    private static final String SELECT = "SELECT lane || ' ' || idempotency_key || ' ' ||"
            + " floor(extract(epoch FROM written_at) * 1000)::bigint FROM " + Names.LEDGER
            + " WHERE idempotency_key LIKE ? || '%' ORDER BY id";

    private final LedgerProbe probe;

    /** Of a database. */
    public Ledger(LedgerProbe probe) {
        this.probe = probe;
    }

    /** The effects of keys that begin so, in their order. */
    public List<LedgerRow> rows(String prefix) {
        return probe.select(SELECT, prefix).stream().map(Ledger::row).toList();
    }

    private static LedgerRow row(String text) {
        String[] words = text.split(" ", 3);
        return new LedgerRow(words[0], words[1], Long.parseLong(words[2]));
    }
}
