package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.OutgoingMessage;
import io.idem.RefusedWorkException;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.consumer.internal.kafka.publish.KafkaOutgoingTransport;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/** A row does not name the cluster of a record, so only what goes to that of the transport is kept; nothing is sent. */
class KeptForClusterTest {

    private final IdempotentExecutor executor =
            IdempotentExecutor.on(new InMemoryIdempotencyStore()).build();
    private final GenericApplicationContext application = new GenericApplicationContext();

    @AfterEach
    void close() {
        application.close();
        executor.close();
    }

    private static ProducerFactory<String, String> producers(String brokers) {
        return new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", brokers), new StringSerializer(), new StringSerializer());
    }

    private void start(String transportTo, String templateTo) {
        application.registerBean(KafkaOutgoingTransport.class, () -> new KafkaOutgoingTransport(producers(transportTo)));
        startWithout(templateTo);
    }

    private void startWithout(String templateTo) {
        application.registerBean(
                PropagatingKafkaTemplate.class, () -> new PropagatingKafkaTemplate<>(producers(templateTo)));
        application.refresh();
    }

    @SuppressWarnings({"unchecked", "FutureReturnValueIgnored"})
    private List<OutgoingMessage> keep() throws Exception {
        Operation operation = Operation.of(
                IdempotencyKey.of("k1"),
                new Scope("payments"),
                ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(1)));
        List<OutgoingMessage> kept = new ArrayList<>();
        executor.execute(operation, context -> {
            context.publications().keeping(true);
            try {
                application.getBean(PropagatingKafkaTemplate.class).send("events", "body");
                kept.addAll(context.publications().kept());
            } finally {
                context.publications().keeping(false);
            }
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });
        return kept;
    }

    @Test
    void aRecordForTheBrokersOfTheTransportIsKept() throws Exception {
        start("a1:9092,a2:9092", "a2:9092");

        assertThat(keep()).hasSize(1);
    }

    @Test
    void aRecordForAnotherClusterIsRefused() {
        start("a1:9092,a2:9092", "b1:9092");

        assertThatThrownBy(this::keep)
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("@Primary");
    }

    @Test
    void aRecordThatNoTransportWouldPublishIsRefused() {
        startWithout("a1:9092");

        assertThatThrownBy(this::keep)
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("no producer");
    }
}
