package io.idem.consumer.kafka.deadletter;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.kafka.message.ConsumerConfigs;
import io.idem.consumer.internal.kafka.message.DeadLetterWay;
import io.idem.consumer.internal.kafka.publish.VerbatimTemplate;
import io.idem.consumer.kafka.KafkaSettings;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * Publishes the dead letters of an application's listeners: to topics, if the settings name a suffix; otherwise they go
 * to the container's own error handler. Thread-safe.
 */
public final class KafkaDeadLetterWriter implements DisposableBean {

    private final KafkaSettings settings;
    private final Supplier<KafkaOperations<?, ?>> application;
    private final Consumer<KafkaTemplate<?, ?>> configurer;
    private @Nullable VerbatimTemplate verbatim;
    private @Nullable DeadLetterTopic topics;

    /**
     * Uses the supplier when it is first needed.
     *
     * @param application publishes the dead letters whose bytes it does not change; needed if the settings name a
     *     suffix
     * @param configurer gives a second template, for the others, the listener, observations and meters of the
     *     application's; called at most once
     */
    public KafkaDeadLetterWriter(
            KafkaSettings settings,
            Supplier<KafkaOperations<?, ?>> application,
            Consumer<KafkaTemplate<?, ?>> configurer) {
        this.settings = settings;
        this.application = application;
        this.configurer = configurer;
    }

    /**
     * Returns the way in which dead letters are published; the first call decides.
     *
     * @throws ListenerConfigurationException if the application's template does not send with acks=all
     */
    public DeadLetterWay way() {
        return areTopics() ? topics() : toTheContainer();
    }

    /** Returns whether idem publishes dead letters itself. */
    public boolean areTopics() {
        return settings.deadLetterTopicSuffix() != null;
    }

    /**
     * Checks that the dead letters of a listener can be published, and stay on its brokers.
     *
     * @param listener by which a developer finds it
     * @param consumer settings of its container's consumer
     * @throws ListenerConfigurationException if the application's template asks none of them, or does not send with acks=all
     */
    public void requireBrokers(String listener, Map<String, Object> consumer) {
        if (areTopics()) {
            var unused = way();
            Map<String, Object> writing = application.get().getProducerFactory().getConfigurationProperties();
            if (ConsumerConfigs.otherBrokers(writing, consumer)) {
                throw new ListenerConfigurationException(
                        listener + " reads from the brokers " + ConsumerConfigs.brokersIn(consumer)
                                + ", and idem.consumer.kafka.dead-letter.topic-suffix sends its dead letters to "
                                + ConsumerConfigs.brokersIn(writing),
                        "Set spring.kafka.bootstrap-servers to the brokers of the listener, or leave the suffix out");
            }
        }
    }

    private static DeadLetterWay toTheContainer() {
        return (record, why) -> {
            throw why;
        };
    }

    /**
     * Publishes a record whose retries are used up; blocks until the broker has confirmed it.
     *
     * @param name of the record in logs
     * @throws RuntimeException if it did not
     */
    public void publish(ConsumerRecord<?, ?> record, String name, Exception failure) {
        topics().publish(record, name, failure);
    }

    private synchronized DeadLetterTopic topics() {
        if (topics == null) {
            KafkaOperations<?, ?> template = application.get();
            verbatim = new VerbatimTemplate(template.getProducerFactory(), configurer);
            topics = new DeadLetterTopic(template, verbatim, Objects.requireNonNull(settings.deadLetterTopicSuffix()));
        }
        return topics;
    }

    /** Returns the number of records that stand behind dead letters which are too large to be published. */
    public synchronized long behind() {
        return topics == null ? 0 : topics.behind();
    }

    /** Closes the producer of the second template, if there is one. */
    @Override
    public synchronized void destroy() {
        if (verbatim != null) {
            verbatim.close();
        }
    }
}
