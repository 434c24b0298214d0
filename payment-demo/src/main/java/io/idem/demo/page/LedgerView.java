package io.idem.demo.page;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The contents of the tables now, compared with the answers that clients received. Counted without asking idem.
 *
 * @param promised operations that a client was told are taken care of
 * @param rows payments and payouts in the ledger
 * @param underWay effects that were promised and are still to come
 * @param lost effects that were promised, although nothing is under way any more
 * @param doubled operations that a consumer acted on more than once
 * @param wrong effects with another amount, or that nobody asked for
 * @param consumers one row for each
 */
public record LedgerView(
        int promised,
        int rows,
        int underWay,
        int lost,
        @JsonProperty("double") int doubled,
        int wrong,
        List<Row> consumers) {

    /** The view before the first count. */
    public static final LedgerView EMPTY = new LedgerView(0, 0, 0, 0, 0, 0, List.of());

    /**
     * The figures of one consumer.
     *
     * @param consumer its scope
     * @param table where its effects are
     * @param promised operations that it must act on
     * @param rows effects
     * @param missing of the promised, those without an effect
     * @param doubled operations with more than one
     */
    public record Row(
            String consumer,
            String table,
            int promised,
            int rows,
            int missing,
            @JsonProperty("double") int doubled) {}
}
