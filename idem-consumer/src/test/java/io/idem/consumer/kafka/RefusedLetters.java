package io.idem.consumer.kafka;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.SendResult;

/** An application's template of which the first two sends are refused by the broker. */
class RefusedLetters {

    private final AtomicInteger refusals = new AtomicInteger(2);
    private final List<Object> seen = new CopyOnWriteArrayList<>();
    private volatile Supplier<?> look = () -> "nothing to look at";

    /** Looks at something on the sending thread before each send. */
    void beforeEach(Supplier<?> what) {
        look = what;
    }

    List<Object> seenBeforeEach() {
        return seen;
    }

    @Bean
    static KafkaTemplate<Object, Object> kafkaTemplate(
            ProducerFactory<Object, Object> producers, RefusedLetters letters) {
        return new KafkaTemplate<>(producers) {
            @Override
            public CompletableFuture<SendResult<Object, Object>> send(ProducerRecord<Object, Object> record) {
                letters.seen.add(letters.look.get());
                return letters.refusals.getAndDecrement() > 0
                        ? CompletableFuture.failedFuture(new NotEnoughReplicasException("told by the test"))
                        : super.send(record);
            }
        };
    }
}
