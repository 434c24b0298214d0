package io.idem.demo.report;

/**
 * The cost of the inbox: the same messages, handled by the same process with and without it.
 *
 * @param messages handled in each mode
 * @param with the inbox
 * @param without the inbox: Redis alone
 */
public record InboxCost(int messages, Mode with, Mode without) {

    /**
     * The figures of one mode.
     *
     * @param medianMillis from grant to COMPLETED
     * @param messagesPerSecond over all rounds
     */
    public record Mode(double medianMillis, double messagesPerSecond) {}
}
