package io.idem.demo.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.Function;

/**
 * The table at the end.
 *
 * @param requests to {@code mismatches}: see {@link HttpFigures}
 * @param messages to {@code takeovers}: see {@link WorkerFigures}
 * @param kills consumer processes killed with SIGKILL
 * @param duplicatesPublished messages that were published a second time past the intake
 * @param ledgerRows payments and payouts in the ledger
 * @param lost operations that some consumer did not act on, although their client was told that they are taken care of
 * @param doubled operations that some consumer acted on more than once
 * @param altered operations that took effect with another amount
 * @param unexpected operations that took effect although nobody asked for them
 * @param deadLetters messages in dead-letter queues and topics
 * @param differentAnswers operations whose client got two answers that are not equal byte for byte
 */
public record Figures(
        int requests,
        int executed,
        int replayed,
        int conflicts,
        int mismatches,
        int hungUp,
        int unavailable,
        int otherReplies,
        int messages,
        int redeliveries,
        int duplicatesPublished,
        int takeovers,
        int foundInInbox,
        int kills,
        int ledgerRows,
        int lost,
        @JsonProperty("double") int doubled,
        int altered,
        int unexpected,
        int deadLetters,
        int differentAnswers) {

    /** Puts the figures together. */
    public static Figures of(
            HttpFigures http, WorkerFigures workers, List<Finding> findings, Outside outside, int differentAnswers) {
        return new Figures(
                http.requests(),
                http.executed(),
                http.replayed(),
                http.conflicts(),
                http.mismatches(),
                http.hungUp(),
                http.unavailable(),
                http.others(),
                workers.messages(),
                workers.redeliveries(),
                outside.duplicatesPublished(),
                workers.takeovers(),
                workers.foundInInbox(),
                outside.kills(),
                ledgerRows(findings),
                sum(findings, Finding::lost),
                sum(findings, Finding::doubled),
                sum(findings, Finding::altered),
                sum(findings, Finding::unexpected),
                outside.deadLetters(),
                differentAnswers);
    }

    private static int ledgerRows(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.table().equals("ledger"))
                .mapToInt(Finding::rows)
                .sum();
    }

    private static int sum(List<Finding> findings, Function<Finding, List<String>> what) {
        return findings.stream()
                .mapToInt(finding -> what.apply(finding).size())
                .sum();
    }

    /** What was done to the system, and what it set aside. */
    public record Outside(int duplicatesPublished, int kills, int deadLetters) {}
}
