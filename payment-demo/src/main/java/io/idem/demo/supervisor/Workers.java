package io.idem.demo.supervisor;

import io.idem.demo.watch.WorkerEvent.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The consumer processes: two that compete for payments, one for everything on Kafka. */
final class Workers implements AutoCloseable {

    private static final Duration READY_WITHIN = Duration.ofSeconds(120);

    private final Map<String, Worker> byName = new LinkedHashMap<>();
    private final WorkerEvents events;

    /** Describes them; starts nothing. {@code inbox} says whether it protects payments. */
    Workers(boolean inbox, Map<String, String> settings, Path logs) {
        String payments = inbox ? "payments" : "payments,no-inbox";
        add(new Worker("payments-1", payments, settings, logs));
        add(new Worker("payments-2", payments, settings, logs));
        add(new Worker("events-1", "payouts,receipts,risk", settings, logs));
        events = new WorkerEvents(byName.values().stream().map(Worker::log).toList());
    }

    private void add(Worker worker) {
        byName.put(worker.name(), worker);
    }

    Map<String, Worker> byName() {
        return byName;
    }

    WorkerEvents events() {
        return events;
    }

    void start() {
        events.start();
        byName.values().forEach(Worker::start);
    }

    /**
     * Returns when all are up, those that were killed and started again included.
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
                .filter(event -> event.type() == Type.READY)
                .map(event -> event.pid())
                .toList();
        return byName.values().stream()
                .filter(worker -> !ready.contains(worker.pid()))
                .map(Worker::log)
                .toList();
    }

    private List<Path> died() {
        return byName.values().stream()
                .filter(worker -> !worker.isAlive())
                .map(Worker::log)
                .toList();
    }

    @Override
    public void close() {
        byName.values().parallelStream().forEach(Worker::close);
        events.close();
    }
}
