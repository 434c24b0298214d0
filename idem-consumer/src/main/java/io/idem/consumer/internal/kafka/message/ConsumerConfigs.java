package io.idem.consumer.internal.kafka.message;

import io.idem.internal.method.HiddenMembers;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;
import org.springframework.util.ClassUtils;

/**
 * The consumer's settings as the container will use them: its factory's, overridden by the listener's own properties.
 */
public record ConsumerConfigs(Map<String, Object> values) {

    private static final Duration DEFAULT_MAX_POLL_INTERVAL = Duration.ofMinutes(5);

    public static ConsumerConfigs of(AbstractMessageListenerContainer<?, ?> container) {
        // The container has no accessor for its factory, and auto-commit must be refused in time.
        ConsumerFactory<?, ?> factory =
                (ConsumerFactory<?, ?>) Objects.requireNonNull(HiddenMembers.read(container, "consumerFactory"));
        Map<String, Object> merged = new HashMap<>(factory.getConfigurationProperties());
        Properties own = container.getContainerProperties().getKafkaConsumerProperties();
        own.stringPropertyNames().forEach(name -> merged.put(name, own.getProperty(name)));
        putGiven(merged, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, factory.getKeyDeserializer());
        putGiven(merged, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, factory.getValueDeserializer());
        return new ConsumerConfigs(merged);
    }

    private static void putGiven(Map<String, Object> merged, String name, @Nullable Deserializer<?> given) {
        if (given != null) {
            merged.put(
                    name, given instanceof ErrorHandlingDeserializer ? HiddenMembers.read(given, "delegate") : given);
        }
    }

    /** Returns a deserializer that is not Kafka's own and makes byte arrays, such as one that decrypts. */
    public Optional<Class<?>> changingBytes() {
        return Stream.of(
                        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                        ErrorHandlingDeserializer.KEY_DESERIALIZER_CLASS,
                        ErrorHandlingDeserializer.VALUE_DESERIALIZER_CLASS)
                .flatMap(name -> Stream.ofNullable(values.get(name)))
                .filter(named -> !(named instanceof String name) || ClassUtils.isPresent(name.trim(), null))
                .<Class<?>>map(named -> named instanceof Class<?> type
                        ? type
                        : named instanceof String name
                                ? ClassUtils.resolveClassName(name.trim(), null)
                                : named.getClass())
                .filter(type -> !type.getName().startsWith("org.apache.kafka.")
                        && ResolvableType.forClass(Deserializer.class, type)
                                        .getGeneric()
                                        .resolve()
                                == byte[].class)
                .findFirst();
    }

    /** Returns the brokers that are asked first, as in some configuration of a client. */
    public static Set<String> brokersIn(Map<String, Object> values) {
        Object servers = values.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "");
        return new TreeSet<>(
                servers instanceof Collection<?> several
                        ? several.stream().map(String::valueOf).toList()
                        : List.of(servers.toString().trim().split("\\s*,\\s*", -1)));
    }

    /** Returns whether two configurations of clients name their brokers, and none in common. */
    public static boolean otherBrokers(Map<String, Object> one, Map<String, Object> other) {
        Set<String> known = brokersIn(one);
        Set<String> asked = brokersIn(other);
        return !known.contains("") && !asked.contains("") && Collections.disjoint(known, asked);
    }

    /** Returns whether auto-commit is on; if no setting says so the container turns it off. */
    public boolean autoCommit() {
        return read(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)
                .filter("true"::equalsIgnoreCase)
                .isPresent();
    }

    public Duration maxPollInterval() {
        return read(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG)
                .map(millis -> Duration.ofMillis(Long.parseLong(millis)))
                .orElse(DEFAULT_MAX_POLL_INTERVAL);
    }

    public int maxPollRecords() {
        return read(ConsumerConfig.MAX_POLL_RECORDS_CONFIG)
                .map(Integer::parseInt)
                .orElse(ConsumerConfig.DEFAULT_MAX_POLL_RECORDS);
    }

    /** Returns a setting as Kafka reads it: without blanks around it. */
    private Optional<String> read(String name) {
        return Optional.ofNullable(values.get(name))
                .map(value -> value.toString().trim());
    }
}
