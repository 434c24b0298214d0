package io.idem.consumer.internal.kafka.container;

import io.idem.ExecutionPolicy;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.kafka.message.DeadLetterWay;
import io.idem.consumer.internal.kafka.message.ListenerLayers;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ExceptionClassifier;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.adapter.KafkaBackoffAwareMessageListenerAdapter;
import org.springframework.kafka.retrytopic.DestinationTopic;
import org.springframework.kafka.retrytopic.DestinationTopicResolver;

/**
 * Retry topics of listeners, beside the hook of every container: rejected records skip the retry topics, and the two
 * ways to count attempts and to retry must fit each other. Thread-safe.
 *
 * @param resolver needed only if it has some
 */
record RetryTopics(Supplier<DestinationTopicResolver> resolver) {

    private static final Logger LOG = LoggerFactory.getLogger(RetryTopics.class);

    /** Returns whether a container belongs to a listener with retry topics; known once the container has been made. */
    static boolean serve(MessageListenerContainer container) {
        return ListenerLayers.of(container.getContainerProperties().getMessageListener())
                .anyMatch(KafkaBackoffAwareMessageListenerAdapter.class::isInstance);
    }

    /** Sends rejected records straight to the dead-letter topic, from whatever topic they are in. */
    void neverRetryDeadLetters() {
        if (resolver.get() instanceof ExceptionClassifier classifier) {
            classifier.addNotRetryableExceptions(KafkaDeadLetterException.class);
        } else {
            LOG.warn(
                    "The DestinationTopicResolver {} does not classify exceptions: records that idem refuses for good go through"
                            + " all retry topics before they become dead letters",
                    resolver.get());
        }
    }

    /**
     * Checks the policies of a listener with retry topics.
     *
     * @throws ListenerConfigurationException if both would own the retry
     */
    void check(String listener, List<ExecutionPolicy> policies) {
        if (policies.stream().anyMatch(policy -> !policy.attempts().backoff().isNone())) {
            throw new ListenerConfigurationException(
                    "@IdempotentListener " + listener
                            + " has a backoff and retry topics: with the first, failures wait in their"
                            + " own topic and never reach the second",
                    "Remove @RetryableTopic (or the RetryTopicConfiguration for its topics), or the backoff of the listener,"
                            + " its scope or idem.backoff");
        }
    }

    /** Compares the policies of a listener with its retry topics, which are known once all of them are registered. */
    void compareAttempts(
            String listener, AbstractMessageListenerContainer<?, ?> container, List<ExecutionPolicy> policies) {
        String topic = firstTopic(container);
        if (topic != null && container.getMainListenerId() == null) {
            DestinationTopic main = resolver.get().getDestinationTopicByName(mainListener(container), topic);
            policies.forEach(policy -> compareAttempts(listener, main, policy));
        }
    }

    private static void compareAttempts(String listener, DestinationTopic main, ExecutionPolicy policy) {
        int limit = policy.maxAttempts();
        if (limit > 0 && main.shouldRetryOn(limit, new IllegalStateException())) {
            LOG.warn(
                    "@IdempotentListener {}: its maxAttempts {} end before the attempts of its retry topics; the record that comes"
                            + " from the next one does not run and becomes a dead letter. Make maxAttempts at least as large as"
                            + " @RetryableTopic(attempts)",
                    listener,
                    limit);
        }
    }

    /** Returns the way of a container's dead letters: its own dead-letter topic, else the one of the settings. */
    DeadLetterWay deadLetters(MessageListenerContainer container, DeadLetterWay otherwise) {
        return (record, why) -> {
            if (resolver.get().getDltFor(mainListener(container), record.topic(), why) != null) {
                throw why;
            }
            otherwise.send(record, why);
        };
    }

    private static String mainListener(MessageListenerContainer container) {
        String main = container.getMainListenerId();
        return main == null ? Objects.requireNonNull(container.getListenerId()) : main;
    }

    private static @Nullable String firstTopic(AbstractMessageListenerContainer<?, ?> container) {
        String[] topics = container.getContainerProperties().getTopics();
        return topics == null || topics.length == 0 ? null : topics[0];
    }
}
