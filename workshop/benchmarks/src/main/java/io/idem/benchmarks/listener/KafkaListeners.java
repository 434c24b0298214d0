package io.idem.benchmarks.listener;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.contestant.PipelinedSets;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.PlatformTransactionManager;

/** The Kafka listeners that are compared. */
final class KafkaListeners {

    private static final String TOPIC = "${bench.topic}";
    private static final String SCOPE = "bench";

    private KafkaListeners() {}

    /** A bare batch listener that does nothing. */
    record BareBatch(Meter meter) {

        @KafkaListener(topics = TOPIC, batch = "true")
        void on(List<ConsumerRecord<String, String>> records) {
            meter.done(records.size());
        }
    }

    /** The floor of a guarded batch: two pipelined SET commands for each record, to one server or to a cluster. */
    static class SetsBatch {

        private final Meter meter;
        private final PipelinedSets sets;

        SetsBatch(Meter meter, PipelinedSets sets) {
            this.meter = meter;
            this.sets = sets;
        }

        @KafkaListener(topics = TOPIC, batch = "true")
        void on(List<ConsumerRecord<String, String>> records) {
            sets.batch(records.stream().map(SetsBatch::key).toList());
            meter.done(records.size());
        }

        private static String key(ConsumerRecord<String, String> record) {
            return new String(
                    record.headers().lastHeader(IdempotencyHeaders.KEY).value(), StandardCharsets.UTF_8);
        }
    }

    /** Provides the connection of {@link SetsBatch}. */
    static class SetsBatchApplication {

        @Bean
        PipelinedSets sets(Environment settings) {
            String[] nodes = settings.getProperty(Servers.CLUSTER_NODES, String[].class, new String[0]);
            return nodes.length == 0
                    ? PipelinedSets.toServer(settings.getRequiredProperty(Servers.REDIS_URL))
                    : PipelinedSets.toCluster(List.of(nodes));
        }

        @Bean
        SetsBatch listener(Meter meter, PipelinedSets sets) {
            return new SetsBatch(meter, sets);
        }
    }

    /** A guarded batch listener that does nothing. */
    static class GuardedBatch {

        private final Meter meter;

        GuardedBatch(Meter meter) {
            this.meter = meter;
        }

        @KafkaListener(topics = TOPIC, batch = "true")
        @IdempotentListener(scope = SCOPE)
        void on(List<ConsumerRecord<String, String>> records) {
            meter.done(records.size());
        }
    }

    /** A guarded record listener that does nothing. */
    static class GuardedRecord {

        private final Meter meter;

        GuardedRecord(Meter meter) {
            this.meter = meter;
        }

        @KafkaListener(topics = TOPIC)
        @IdempotentListener(scope = SCOPE)
        void on(String record) {
            meter.done(1);
        }
    }

    /** A bare record listener that works for a millisecond. */
    record BareMillisecond(Meter meter) {

        @KafkaListener(topics = TOPIC)
        void on(String record) {
            Millisecond.work();
            meter.done(1);
        }
    }

    /** A guarded record listener that works for a millisecond. */
    static class GuardedMillisecond {

        private final Meter meter;

        GuardedMillisecond(Meter meter) {
            this.meter = meter;
        }

        @KafkaListener(topics = TOPIC)
        @IdempotentListener(scope = SCOPE)
        void on(String record) {
            Millisecond.work();
            meter.done(1);
        }
    }

    /** A bare record listener that works for a millisecond and writes a row. */
    static class BareRow {

        private final Meter meter;
        private final MillisecondAndRow row;

        BareRow(Meter meter, JdbcTemplate jdbc, PlatformTransactionManager transactions) {
            this.meter = meter;
            this.row = new MillisecondAndRow(jdbc, transactions);
        }

        @KafkaListener(topics = TOPIC)
        void on(String record) {
            row.work();
            meter.done(1);
        }
    }

    /** A guarded record listener that works for a millisecond and writes a row. */
    static class GuardedRow {

        private final Meter meter;
        private final MillisecondAndRow row;

        GuardedRow(Meter meter, JdbcTemplate jdbc, PlatformTransactionManager transactions) {
            this.meter = meter;
            this.row = new MillisecondAndRow(jdbc, transactions);
        }

        @KafkaListener(topics = TOPIC)
        @IdempotentListener(scope = SCOPE)
        void on(String record) {
            row.work();
            meter.done(1);
        }
    }
}
