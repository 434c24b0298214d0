package io.idem.demo.report;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The figures of the workers' events.
 *
 * @param messages deliveries by the brokers
 * @param redeliveries of these, the ones of a message that had been delivered before
 * @param executions grants to do the work
 * @param takeovers of these, the ones after an owner that died
 * @param duplicates messages acknowledged without work because it had been done
 * @param foundInInbox takeovers of work that was found to be committed already, and not done again
 */
public record WorkerFigures(
        int messages, int redeliveries, int executions, int takeovers, int duplicates, int foundInInbox) {

    /** Counts events. */
    public static WorkerFigures of(List<WorkerEvent> events) {
        return new WorkerFigures(
                count(events, What.DELIVERED, ""),
                redeliveries(events),
                count(events, What.GRANTED, ""),
                count(events, What.GRANTED, "TAKEOVER"),
                count(events, What.ANSWERED, "REPLAY"),
                count(events, What.FOUND_IN_INBOX, ""));
    }

    private static int count(List<WorkerEvent> events, What what, String detail) {
        return (int) events.stream()
                .filter(event -> event.what() == what)
                .filter(event -> detail.isEmpty() || detail.equals(event.detail()))
                .count();
    }

    /** RabbitMQ marks them; of Kafka they are seen by their place in the log. */
    private static int redeliveries(List<WorkerEvent> events) {
        Set<String> places = new HashSet<>();
        return (int) events.stream()
                .filter(event -> event.what() == What.DELIVERED)
                .filter(event -> event.key().isEmpty()
                        ? event.detail().equals(WorkerEvent.REDELIVERED)
                        : !places.add(event.scope() + " " + event.key()))
                .count();
    }
}
