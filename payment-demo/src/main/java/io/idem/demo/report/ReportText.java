package io.idem.demo.report;

import java.util.List;
import java.util.Locale;

/** A report for people. */
public final class ReportText {

    private static final int MOST_NAMES = 5;

    private final StringBuilder text = new StringBuilder();

    private ReportText() {}

    /** The table, and what was wrong. */
    public static String of(Report report) {
        ReportText text = new ReportText();
        text.figures(report.figures(), report.store());
        text.consumers(report);
        if (report.inboxCost() != null) {
            text.cost(report.inboxCost());
        }
        report.complaints().forEach(complaint -> text.line("  NOT GOOD: %s", complaint));
        if (!report.inbox() && report.figures().effects().doubled() > 0) {
            text.line("  This is what Redis alone cannot prevent: a crash after the commit, before COMPLETED.");
            text.line("  The inbox does: the same story without --no-inbox ends with double 0.");
        }
        if (report.store() == Store.INBOX) {
            text.line(
                    "  Without Redis. Each key was claimed in the transaction of its work, which also kept its messages:");
            text.line(
                    "  what a killed process had not committed PostgreSQL rolled back, and what it had committed stood.");
            text.line("  Charges were remembered apart from that, in PostgreSQL too.");
        }
        return text.text.toString();
    }

    private void figures(Figures figures, Store store) {
        line("");
        row(
                "requests",
                figures.http().requests(),
                "sent by the clients; " + figures.http().hungUp() + " did not wait for the reply");
        row("executed", figures.http().executed(), "answered 202 for the first time");
        row("replayed", figures.http().replayed(), "answered with the first answer, byte for byte");
        row("conflicts", figures.http().conflicts(), "answered 409: another request with the key is under way");
        row("mismatches", figures.http().mismatches(), "answered 422: the key was used with another amount");
        row(
                "messages",
                figures.workers().messages(),
                "delivered to consumers; " + figures.outside().duplicatesPublished() + " published twice on purpose");
        row("redeliveries", figures.workers().redeliveries(), "of these, delivered before");
        row(
                store.afterDeaths(),
                figures.workers().afterDeaths(store),
                "of work whose owner died (" + figures.outside().kills() + " killed); "
                        + figures.workers().foundInInbox() + " found committed in the inbox");
        row(
                "bank calls",
                figures.steps().bankCalls(),
                "of payments and payouts; remembered by a later attempt: "
                        + figures.steps().remembered() + ", repeated all the same: "
                        + figures.steps().repeated());
        row(
                "ledger rows",
                figures.effects().ledgerRows(),
                "payments and payouts; dead letters: " + figures.outside().deadLetters());
        row("lost", figures.effects().lost(), "promised to a client, but a consumer did not act");
        row("double", figures.effects().doubled(), "a consumer acted twice");
        line("");
    }

    private void consumers(Report report) {
        line("  %-10s %-12s %8s %6s %6s %7s %10s", "consumer", "table", "promised", "rows", "lost", "double", "median");
        for (Finding finding : report.consumers()) {
            line(
                    "  %-10s %-12s %8d %6d %6d %7d %7.1f ms",
                    finding.consumer(),
                    finding.table(),
                    finding.expected(),
                    finding.rows(),
                    finding.lost().size(),
                    finding.doubled().size(),
                    report.handlingMillis().getOrDefault(finding.consumer(), 0.0));
        }
        for (Finding finding : report.consumers()) {
            if (!finding.clean()) {
                line("  %s: %s", finding.consumer(), details(finding));
            }
        }
        line("");
    }

    private static String details(Finding finding) {
        return "lost " + some(finding.lost()) + ", double " + some(finding.doubled()) + ", altered "
                + some(finding.altered()) + ", unexpected " + some(finding.unexpected());
    }

    private static String some(List<String> operations) {
        String more = operations.size() > MOST_NAMES ? " and " + (operations.size() - MOST_NAMES) + " more" : "";
        return operations.stream().limit(MOST_NAMES).toList() + more;
    }

    private void cost(InboxCost cost) {
        line("  what the inbox costs, measured with %d messages in each mode, no provider involved", cost.messages());
        mode("with inbox", cost.with());
        mode("Redis alone", cost.without());
        line("");
    }

    private void mode(String name, InboxCost.Mode mode) {
        line(
                "  %-12s %7.1f ms from grant to COMPLETED (median), %7.0f messages/s",
                name, mode.medianMillis(), mode.messagesPerSecond());
    }

    private void row(String name, int figure, String meaning) {
        line("  %-14s %6d   %s", name, figure, meaning);
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments).stripTrailing())
                .append('\n');
    }
}
