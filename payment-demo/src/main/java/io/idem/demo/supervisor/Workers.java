package io.idem.demo.supervisor;

import io.idem.demo.watch.WorkerEvent.What;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The consumer processes: two that compete for payments, one for everything on Kafka. */
final class Workers implements AutoCloseable {

    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private final Map<String, Worker> byName = new LinkedHashMap<>();
    private final Worker comparison;
    private final WorkerEvents events;

    /** Describes the workers without starting them. {@code inbox} says whether the inbox protects payments. */
    Workers(boolean inbox, Map<String, String> settings, Path logs) {
        String payments = inbox ? "payments" : "payments,no-inbox";
        add(new Worker("payments-1", payments, settings, logs));
        add(new Worker("payments-2", payments, settings, logs));
        add(new Worker("events-1", "payouts,receipts,risk", settings, logs));
        comparison = new Worker("comparison-1", "comparison", settings, logs);
        events = new WorkerEvents(all().map(Worker::log).toList());
    }

    private void add(Worker worker) {
        byName.put(worker.name(), worker);
    }

    private Stream<Worker> all() {
        return Stream.concat(byName.values().stream(), Stream.of(comparison));
    }

    Map<String, Worker> byName() {
        return byName;
    }

    /** The worker that measures the cost of the inbox; not started with the others. */
    Worker comparison() {
        return comparison;
    }

    WorkerEvents events() {
        return events;
    }

    /** Starts all but the one that compares. */
    void start() {
        all().forEach(Worker::clearLog);
        events.start();
        byName.values().forEach(Worker::start);
    }

    /**
     * Returns when all that were started are up, those that were killed and started again included.
     *
     * @throws StartException if one does not come up
     */
    void awaitReady() throws InterruptedException {
        if (!Poll.until(READY_WITHIN, () -> missing().isEmpty() || !died().isEmpty())) {
            throw new StartException("these consumers did not come up in time: " + missing() + "; see their logs");
        }
        if (!died().isEmpty()) {
            throw new StartException("these consumers ended by themselves: " + died() + "; see their logs");
        }
    }

    private List<Path> missing() {
        List<Long> ready = events.all().stream()
                .filter(event -> event.what() == What.READY)
                .map(event -> event.pid())
                .toList();
        return all().filter(Worker::isStarted)
                .filter(worker -> !ready.contains(worker.pid()))
                .map(Worker::log)
                .toList();
    }

    private List<Path> died() {
        return all().filter(Worker::isStarted)
                .filter(Worker::hasFailed)
                .map(Worker::log)
                .toList();
    }

    @Override
    public void close() {
        Stream.concat(byName.values().stream(), Stream.of(comparison))
                .parallel()
                .forEach(Worker::close);
        events.close();
    }
}
