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
import org.springframework.kafka.annotation.KafkaListener;

/** The listeners that are compared. */
final class KafkaListeners {

    private static final String TOPIC = "${bench.topic}";
    private static final String SCOPE = "bench";

    private KafkaListeners() {}

    /** Does nothing, a batch at a time. */
    record BareBatch(Meter meter) {

        @KafkaListener(topics = TOPIC, batch = "true")
        void on(List<ConsumerRecord<String, String>> records) {
            meter.done(records.size());
        }
    }

    /** The floor of a guarded batch: two pipelined SETs for each record, to one server or to a cluster. */
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

    /** Where {@link SetsBatch} gets its connection from. */
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

    /** Guarded, a batch at a time. */
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

    /** Guarded, a record at a time. */
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

    /** Bare, a record at a time, with a millisecond of work. */
    record BareMillisecond(Meter meter) {

        @KafkaListener(topics = TOPIC)
        void on(String record) {
            Millisecond.work();
            meter.done(1);
        }
    }

    /** Guarded, a record at a time, with a millisecond of work. */
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
}
