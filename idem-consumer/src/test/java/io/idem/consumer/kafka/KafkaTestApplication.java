package io.idem.consumer.kafka;

import static java.util.Objects.requireNonNull;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** An application put together by auto-configuration alone, on a real Kafka, with a topic and a group of its own. */
final class KafkaTestApplication implements AutoCloseable {

    static final String SCOPE = "payments";

    private static final SwitchableStore NO_STORE = new SwitchableStore();

    private final String topic;
    private final SwitchableStore store;
    private final ConfigurableApplicationContext context;
    private final Admin admin = admin();
    private final KafkaTemplate<String, String> outside = new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", bootstrapServers()),
            new org.apache.kafka.common.serialization.StringSerializer(),
            new org.apache.kafka.common.serialization.StringSerializer()));

    private KafkaTestApplication(String topic, SwitchableStore store, ConfigurableApplicationContext context) {
        this.topic = topic;
        this.store = store;
        this.context = context;
    }

    static Builder with(Class<?>... sources) {
        return new Builder(sources);
    }

    static String bootstrapServers() {
        return SharedServers.kafka().bootstrapServers();
    }

    String topic() {
        return topic;
    }

    SwitchableStore store() {
        return store;
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    Journal journal() {
        return bean(Journal.class);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    /** Sends to partition 0 as somebody outside the application would. */
    void send(String key, @Nullable String value) {
        send(new ProducerRecord<>(topic, 0, null, value), key);
    }

    void send(ProducerRecord<String, String> record, String key) {
        record.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        sendAsItIs(record);
    }

    void sendAsItIs(ProducerRecord<String, String> record) {
        outside.send(record).join();
    }

    /** What the group has committed for partition 0; -1 for nothing. */
    long committed() {
        return committed(topic, 0);
    }

    long committed(String group, int partition) {
        return committed(group, new TopicPartition(topic, partition));
    }

    long committed(String group, TopicPartition partition) {
        try {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(partition);
            return offset == null ? -1 : offset.offset();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Commits an offset for the group, as another instance would; returns whether the group let it. */
    boolean commits(long offset) {
        try {
            admin.alterConsumerGroupOffsets(topic, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
                    .all()
                    .get();
            return true;
        } catch (ExecutionException notEmpty) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
    }

    @Override
    public void close() {
        context.close();
        ((DefaultKafkaProducerFactory<?, ?>) outside.getProducerFactory()).destroy();
        admin.close();
    }

    /** What happened, in its order. */
    static final class Journal implements ConsumerEventListener {

        private final List<String> entries = new CopyOnWriteArrayList<>();
        private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();

        void write(@Nullable String entry) {
            entries.add(String.valueOf(entry));
        }

        List<String> entries() {
            return entries;
        }

        @Override
        public void on(ConsumerEvent event) {
            events.add(event);
        }

        <E extends ConsumerEvent> List<E> events(Class<E> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }
    }

    /** What every test application starts from. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Base {

        @Bean
        Journal journal() {
            return new Journal();
        }
    }

    /** Collects what is particular to a test. */
    static final class Builder {

        private final List<Class<?>> sources = new ArrayList<>(List.of(Base.class));
        private final Map<String, Object> properties = new HashMap<>();
        private String topic = "t-" + UUID.randomUUID();
        private int partitions = 1;
        private SwitchableStore store = NO_STORE;

        private Builder(Class<?>... sources) {
            this.sources.addAll(List.of(sources));
            set("spring.kafka.bootstrap-servers", bootstrapServers());
            set("spring.kafka.consumer.auto-offset-reset", "earliest");
            // A seek, and a goodbye, wait for the broker's answer to the fetch that is under way.
            set("spring.kafka.consumer.fetch-max-wait", "20ms");
            set("spring.kafka.listener.poll-timeout", "200ms");
            set("spring.main.banner-mode", "off");
            set("idem.consumer.kafka.redelivery-delay", "100ms");
        }

        Builder set(String property, Object value) {
            properties.put(property, value);
            return this;
        }

        Builder partitions(int count) {
            partitions = count;
            return this;
        }

        /** A second instance of the same application. */
        Builder beside(KafkaTestApplication first) {
            topic = first.topic;
            store = first.store;
            return this;
        }

        KafkaTestApplication start() {
            boolean second = store != NO_STORE;
            SwitchableStore shared = second ? store : new SwitchableStore();
            if (!second) {
                createTopic();
            }
            properties.putIfAbsent("test.topic", topic);
            properties.putIfAbsent("spring.kafka.consumer.group-id", topic);
            ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                    .web(WebApplicationType.NONE)
                    .properties(properties)
                    .initializers(fresh -> fresh.getBeanFactory().registerSingleton("store", shared))
                    .run();
            return new KafkaTestApplication(topic, shared, requireNonNull(context));
        }

        private void createTopic() {
            try (Admin admin = admin()) {
                admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                        .all()
                        .get();
            } catch (InterruptedException | ExecutionException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
