package io.idem.consumer.kafka.deadletter;

import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.kafka.message.ConsumerConfigs;
import io.idem.consumer.internal.kafka.message.KafkaDelivery;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.consumer.internal.kafka.publish.BytesProducer;
import io.idem.consumer.internal.key.DeadLetterQuery;
import io.idem.spi.DeadLetterSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Dead letters in a topic of Kafka. Reads the newest ones, with a consumer of its own that belongs to no group and
 * commits nothing. A letter stays where it is: its topic drops it by its own retention. Thread-safe; blocks.
 */
public final class KafkaDeadLetterSource implements DeadLetterSource {

    /** Time limit of one answer of the broker, and of a read without records. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Supplier<ConsumerFactory<?, ?>> consumers;
    private final Supplier<ProducerFactory<?, ?>> producers;
    private final Supplier<IdempotentListeners> listeners;

    /**
     * Uses the suppliers when they are first needed.
     *
     * @param consumers the application's, whose settings name brokers and security
     * @param producers the application's, likewise
     * @param listeners know how their letters are recognized
     */
    public KafkaDeadLetterSource(
            Supplier<ConsumerFactory<?, ?>> consumers,
            Supplier<ProducerFactory<?, ?>> producers,
            Supplier<IdempotentListeners> listeners) {
        this.consumers = consumers;
        this.producers = producers;
        this.listeners = listeners;
    }

    @Override
    public String transport() {
        return KafkaMessageHeaders.TRANSPORT;
    }

    @Override
    public Search moveBack(Sought sought, BooleanSupplier permission) {
        Map<String, Object> reading = consumers.get().getConfigurationProperties();
        if (ConsumerConfigs.otherBrokers(reading, producers.get().getConfigurationProperties())) {
            throw new IllegalArgumentException("The ConsumerFactory reads from " + ConsumerConfigs.brokersIn(reading)
                    + ", and the ProducerFactory writes to other brokers. Make factories of the same brokers the primary"
                    + " ones, or copy the letter by other means");
        }
        DeadLetterQuery query = listeners.get().letter(sought);
        try (NewestConsumerRecords letters = new NewestConsumerRecords(
                reading, sought.from(), sought.limit(), TIMEOUT)) {
            Optional<ConsumerRecord<byte[], byte[]>> letter =
                    letters.last(record -> query.is(new KafkaDelivery(record, () -> false)));
            return letter.isPresent()
                    ? found(new KafkaDeadLetter(letter.get()), permission, letters.examined())
                    : new Search.Missing(letters.examined(), letters.more());
        }
    }

    private Search found(KafkaDeadLetter letter, BooleanSupplier permission, int examined) {
        String origin = letter.origin()
                .orElseThrow(() -> new IllegalArgumentException("The dead letter does not say which topic it came from:"
                        + " it has neither x-idempotency-origin nor an original topic of Spring's. Copy it by other"
                        + " means"));
        if (!permission.getAsBoolean()) {
            return new Search.Kept(examined);
        }
        try (BytesProducer producer = new BytesProducer(producers.get(), "-redrive", Map.of())) {
            producer.sendAndWait(letter.message(origin), TIMEOUT);
        }
        return new Search.Moved(examined, origin);
    }
}
