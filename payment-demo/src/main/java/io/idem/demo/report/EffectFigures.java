package io.idem.demo.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.Function;

/**
 * The contents of the tables, compared with the answers that the clients received.
 *
 * @param ledgerRows payments and payouts in the ledger
 * @param lost operations that some consumer did not act on, although their client was told that they are taken care of
 * @param doubled operations that some consumer acted on more than once
 * @param altered operations that took effect with another amount
 * @param unexpected operations that took effect although nobody asked for them
 * @param differentAnswers operations whose client got two answers that are not equal byte for byte
 */
public record EffectFigures(
        int ledgerRows,
        int lost,
        @JsonProperty("double") int doubled,
        int altered,
        int unexpected,
        int differentAnswers) {

    /** Adds up the findings. */
    public static EffectFigures of(List<Finding> findings, List<String> differentAnswers) {
        return new EffectFigures(
                ledgerRows(findings),
                sum(findings, Finding::lost),
                sum(findings, Finding::doubled),
                sum(findings, Finding::altered),
                sum(findings, Finding::unexpected),
                differentAnswers.size());
    }

    private static int ledgerRows(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.table().equals("ledger"))
                .mapToInt(Finding::rows)
                .sum();
    }

    private static int sum(List<Finding> findings, Function<Finding, List<String>> what) {
        return findings.stream().mapToInt(finding -> what.apply(finding).size()).sum();
    }
}
