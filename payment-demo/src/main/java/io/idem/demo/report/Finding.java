package io.idem.demo.report;

import java.util.List;

/**
 * The effects of one consumer, compared with what clients were promised.
 *
 * @param consumer its scope
 * @param table where its effects are
 * @param expected operations that a client was told are taken care of
 * @param rows effects
 * @param lost operations without an effect
 * @param doubled operations with more than one
 * @param altered operations whose effect has another amount than the client was promised
 * @param unexpected operations that no client asked for
 */
public record Finding(
        String consumer,
        String table,
        int expected,
        int rows,
        List<String> lost,
        List<String> doubled,
        List<String> altered,
        List<String> unexpected) {

    /** Returns whether every operation took effect once, as promised. */
    public boolean clean() {
        return lost.isEmpty() && doubled.isEmpty() && altered.isEmpty() && unexpected.isEmpty();
    }
}
