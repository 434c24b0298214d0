package io.idem.demo.report;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The figures of the workers' events.
 *
 * @param messages deliveries by the brokers
 * @param redeliveries of these, the ones of a message that had been delivered before
 * @param executions grants to do the work
 * @param takeovers of these, the ones after an owner that died
 * @param restarts of these, the ones of work that another process had begun
 * @param duplicates messages acknowledged without work because it had been done
 * @param foundInInbox work of owners that died which was found to be committed already, and not done again
 */
public record WorkerFigures(
        int messages, int redeliveries, int executions, int takeovers, int restarts, int duplicates, int foundInInbox) {

    /** Counts events of a run with {@code store}. */
    public static WorkerFigures of(List<WorkerEvent> events, Store store) {
        return new WorkerFigures(
                count(events, What.DELIVERED, ""),
                redeliveries(events),
                count(events, What.GRANTED, ""),
                count(events, What.GRANTED, "TAKEOVER"),
                restarts(events),
                count(events, What.ANSWERED, "REPLAY"),
                store == Store.INBOX ? foundAsStore(events) : count(events, What.FOUND_IN_INBOX, ""));
    }

    /** Returns the number of grants of work whose owner died, as {@code store} shows them. */
    public int afterDeaths(Store store) {
        return store == Store.REDIS ? takeovers : restarts;
    }

    private static int restarts(List<WorkerEvent> events) {
        return byWork(events).values().stream()
                .mapToInt(work -> (int) processes(work) - 1)
                .filter(others -> others > 0)
                .sum();
    }

    private static long processes(List<WorkerEvent> work) {
        return work.stream()
                .filter(event -> event.what() == What.GRANTED)
                .map(WorkerEvent::pid)
                .distinct()
                .count();
    }

    /** Counts work that was begun, that no process completed, and that was answered as done. */
    private static int foundAsStore(List<WorkerEvent> events) {
        return (int) byWork(events).values().stream()
                .filter(work -> count(work, What.GRANTED, "") > 0)
                .filter(work -> count(work, What.SETTLED, "COMPLETED") == 0)
                .filter(work -> count(work, What.ANSWERED, "REPLAY") > 0)
                .count();
    }

    private static Map<String, List<WorkerEvent>> byWork(List<WorkerEvent> events) {
        return events.stream().collect(Collectors.groupingBy(event -> event.scope() + " " + event.key()));
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
