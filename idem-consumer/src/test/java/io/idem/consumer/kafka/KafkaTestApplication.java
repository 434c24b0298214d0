package io.idem.consumer.kafka;

import static java.util.Objects.requireNonNull;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.servers.SharedServers;
import io.idem.servers.spring.RabbitOfBoot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;

/** An application put together by auto-configuration alone, on a real Kafka, with a topic and a group of its own. */
final class KafkaTestApplication implements AutoCloseable {

    static final String SCOPE = "payments";

    private static final SwitchableStore NO_STORE = new SwitchableStore();

    private final String topic;
    private final SwitchableStore store;
    private final ConfigurableApplicationContext context;
    private final Offsets offsets;
    private SharedApplications.@Nullable Place<KafkaTestApplication> place;
    private final Admin admin = admin();
    private final KafkaTemplate<String, String> outside = new KafkaTemplate<>(new DefaultKafkaProducerFactory<>(
            Map.of("bootstrap.servers", bootstrapServers()),
            new org.apache.kafka.common.serialization.StringSerializer(),
            new org.apache.kafka.common.serialization.StringSerializer()));

    private KafkaTestApplication(
            String topic, SwitchableStore store, Offsets offsets, ConfigurableApplicationContext context) {
        this.topic = topic;
        this.store = store;
        this.offsets = offsets;
        this.context = context;
    }

    static Builder with(Class<?>... sources) {
        return new Builder(null, sources);
    }

    /** Returns a builder that uses an application of an earlier test of the class if all its sources are {@link Resettable}. */
    static Builder with(SharedApplications<KafkaTestApplication> shared, Class<?>... sources) {
        return new Builder(shared, sources);
    }

    /** Returns the extension that keeps applications for the tests of a class. */
    static SharedApplications<KafkaTestApplication> shared() {
        return new SharedApplications<>(KafkaTestApplication::end);
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

    /** Returns the offset that the group has committed for partition 0, counted from where the test began; -1 for none. */
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
            return offset == null ? -1 : offset.offset() - offsets.first(partition);
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Commits an offset for the group, as another instance would; returns whether the group let it. */
    boolean commits(long offset) {
        try {
            TopicPartition partition = new TopicPartition(topic, 0);
            long absolute = offsets.first(partition) + offset;
            admin.alterConsumerGroupOffsets(topic, Map.of(partition, new OffsetAndMetadata(absolute)))
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

    /** Ends the application, or stops it for the next test that needs one like it. */
    @Override
    public void close() {
        if (place == null || !stop()) {
            end();
        } else {
            place.leave(this);
        }
    }

    /** Stops the listeners; returns whether nothing runs any more. */
    private boolean stop() {
        if (!context.isActive()) {
            return false;
        }
        bean(KafkaListenerEndpointRegistry.class).stop();
        return store.settled() && listeners().noneMatch(MessageListenerContainer::isChildRunning);
    }

    /** Starts what a test before has stopped; returns whether that is possible. */
    private boolean startAgain() {
        if (!offsets.beginAgain(admin, topic, groups())) {
            return false;
        }
        context.getBeansOfType(Resettable.class, true, false).values().forEach(Resettable::reset);
        listeners().filter(MessageListenerContainer::isAutoStartup).forEach(MessageListenerContainer::start);
        return true;
    }

    private Set<String> groups() {
        return Stream.concat(
                        Stream.of(topic),
                        listeners().map(MessageListenerContainer::getGroupId).filter(Objects::nonNull))
                .collect(Collectors.toSet());
    }

    private Stream<MessageListenerContainer> listeners() {
        return bean(KafkaListenerEndpointRegistry.class).getListenerContainers().stream();
    }

    private void end() {
        context.close();
        ((DefaultKafkaProducerFactory<?, ?>) outside.getProducerFactory()).destroy();
        admin.close();
    }

    /** What happened, in its order. */
    static final class Journal implements ConsumerEventListener, Resettable {

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

        @Override
        public void reset() {
            entries.clear();
            events.clear();
        }

        <E extends ConsumerEvent> List<E> events(Class<E> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }
    }

    /** The offsets at which the records of the current test begin, behind those of earlier tests. */
    private static final class Offsets {

        private final Map<TopicPartition, Long> first = new ConcurrentHashMap<>();

        long first(TopicPartition partition) {
            return first.getOrDefault(partition, 0L);
        }

        /**
         * Takes away all records of the topic and of those that are named after it, and what the groups have committed; returns
         * whether nobody is left in a group.
         */
        boolean beginAgain(Admin admin, String topic, Set<String> groups) {
            try {
                Map<TopicPartition, Long> ends = ends(admin, topic);
                Map<TopicPartition, RecordsToDelete> records = new HashMap<>();
                ends.forEach((partition, end) -> records.put(partition, RecordsToDelete.beforeOffset(end)));
                admin.deleteRecords(records).all().get();
                for (KafkaFuture<?> deleted :
                        admin.deleteConsumerGroups(groups).deletedGroups().values()) {
                    if (!isDeleted(deleted)) {
                        return false;
                    }
                }
                first.putAll(ends);
                return true;
            } catch (InterruptedException | ExecutionException failed) {
                throw new IllegalStateException(failed);
            }
        }

        private static boolean isDeleted(KafkaFuture<?> deletion) throws InterruptedException, ExecutionException {
            try {
                deletion.get();
                return true;
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof GroupIdNotFoundException) {
                    return true;
                }
                if (failed.getCause() instanceof GroupNotEmptyException) {
                    return false;
                }
                throw failed;
            }
        }

        private static Map<TopicPartition, Long> ends(Admin admin, String topic)
                throws InterruptedException, ExecutionException {
            List<String> topics = admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith(topic))
                    .toList();
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            admin.describeTopics(topics)
                    .allTopicNames()
                    .get()
                    .forEach((name, description) -> description
                            .partitions()
                            .forEach(partition ->
                                    latest.put(new TopicPartition(name, partition.partition()), OffsetSpec.latest())));
            Map<TopicPartition, Long> ends = new HashMap<>();
            admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        }
    }

    /** The configuration of every test application. Leaves out RabbitMQ, which no test needs and which slows each start. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                RabbitOfBoot.AUTO_CONFIGURATION,
                RabbitOfBoot.EARLIER_AUTO_CONFIGURATION,
                "io.idem.consumer.autoconfigure.IdemRabbitAutoConfiguration"
            })
    static class Base implements Resettable {

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

        private final @Nullable SharedApplications<KafkaTestApplication> shared;
        private Offsets offsets = new Offsets();

        private Builder(@Nullable SharedApplications<KafkaTestApplication> shared, Class<?>... sources) {
            this.shared = shared;
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
            offsets = first.offsets;
            return this;
        }

        KafkaTestApplication start() {
            boolean second = store != NO_STORE;
            SharedApplications.Place<KafkaTestApplication> place = second ? null : place();
            KafkaTestApplication stopped = place == null ? null : place.take().orElse(null);
            if (stopped != null && stopped.startAgain()) {
                return stopped;
            }
            if (stopped != null) {
                stopped.end();
            }
            SwitchableStore used = second ? store : new SwitchableStore();
            if (!second) {
                createTopic();
            }
            properties.putIfAbsent("test.topic", topic);
            properties.putIfAbsent("spring.kafka.consumer.group-id", topic);
            ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                    .web(WebApplicationType.NONE)
                    .properties(properties)
                    .initializers(fresh -> fresh.getBeanFactory().registerSingleton("store", used))
                    .run();
            KafkaTestApplication application = new KafkaTestApplication(topic, used, offsets, requireNonNull(context));
            application.place = place;
            return application;
        }

        private SharedApplications.@Nullable Place<KafkaTestApplication> place() {
            boolean resettable = sources.stream().allMatch(Resettable.class::isAssignableFrom);
            return shared == null || !resettable
                    ? null
                    : shared.place(List.of(List.copyOf(sources), Map.copyOf(properties), partitions));
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
