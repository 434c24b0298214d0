package io.idem.workshop.chaos.soak;

import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes samples of all measures at regular intervals. */
final class Samples {

    private final Map<String, ProcessView> processes = new LinkedHashMap<>();
    private final Backends backends;
    private final RedisView redis;
    private final Map<String, Series> series = new LinkedHashMap<>();

    Samples(Stage stage, Path vitals) {
        this.backends = stage.backends();
        this.redis = new RedisView(stage.singleRedis().server());
        processes.put("intake", new ProcessView(stage.intake().up().process().pid(), vitals));
        stage.crew()
                .all()
                .forEach(worker -> processes.put(
                        "worker " + processes.size(),
                        new ProcessView(worker.process().pid(), vitals)));
    }

    void take() {
        processes.forEach((name, process) -> process.look().forEach((measure, value) -> add(measure, name, value)));
        add(Measure.REDIS_CLIENTS, redis.clients());
        add(Measure.REDIS_RECORD, redis.bytesPerRecord());
        add(Measure.AMQP_CLIENTS, backends.amqpProxy().connections());
        add(Measure.KAFKA_CLIENTS, backends.kafkaProxy().connections());
        add(Measure.DATABASE_CLIENTS, databaseSessions());
        RedisView.Orphans orphans = redis.orphans();
        add(Measure.ORPHANS, orphans.ofConsumers());
        add(Measure.LEFT_BEHIND, orphans.ofIntake());
    }

    private double databaseSessions() {
        return Double.parseDouble(backends.ledger()
                .select("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
                .get(0));
    }

    private void add(Measure measure, double value) {
        add(measure, "", value);
    }

    private void add(Measure measure, String of, double value) {
        series.computeIfAbsent(measure + of, name -> new Series(measure, of, new ArrayList<>()))
                .values()
                .add(value);
    }

    List<Series> all() {
        return series.values().stream()
                .map(one -> new Series(one.measure(), one.of(), List.copyOf(one.values())))
                .toList();
    }
}
