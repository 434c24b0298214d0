package io.idem.demo.page;

import io.idem.demo.flow.LogLine;
import io.idem.demo.flow.OperationView;
import java.util.List;

/**
 * The data that is sent to the page.
 *
 * @param version of the flow; a page that has it misses nothing older
 * @param operations that changed, oldest first
 * @param lines that were told, oldest first
 * @param ledger as it is now
 * @param machines as they are now
 * @param last the key of the visitor's latest operation, or empty
 */
public record Frame(
        long version,
        List<OperationView> operations,
        List<LogLine> lines,
        LedgerView ledger,
        MachinesView machines,
        String last) {}
