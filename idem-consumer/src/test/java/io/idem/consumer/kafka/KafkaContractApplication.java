package io.idem.consumer.kafka;

import io.idem.consumer.contract.ConsumerApplication;
import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.contract.EventLog;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaConsumerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.util.backoff.FixedBackOff;

/** A Spring Boot application on a real Kafka, with topics and groups of its own. */
final class KafkaContractApplication implements ConsumerApplication {

    private final ConfigurableApplicationContext context;
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
    private final Consumer<String, String> deadLetterReader;
    private final List<String> deadLetters = new ArrayList<>();

    private KafkaContractApplication(ConfigurableApplicationContext context) {
        this.context = context;
        this.deadLetterReader = deadLetterReader(context);
    }

    static KafkaContractApplication start(Class<?> listeners, String... settings) {
        return start(List.of(listeners), settings);
    }

    static KafkaContractApplication start(List<Class<?>> sources, String... settings) {
        String name = "idem-" + UUID.randomUUID();
        createTopics(name);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .sources(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .properties(defaults(name))
                .run(lastOfEach(settings));
        return new KafkaContractApplication(context);
    }

    /** Spring would join the values of a setting that is there twice. */
    private static String[] lastOfEach(String[] settings) {
        Map<String, String> byName = new LinkedHashMap<>();
        Arrays.stream(settings).forEach(setting -> byName.put(setting.replaceFirst("=.*", ""), "--" + setting));
        return byName.values().toArray(String[]::new);
    }

    private static String[] defaults(String name) {
        return new String[] {
            "test.name=" + name,
            "spring.main.banner-mode=off",
            "spring.kafka.bootstrap-servers=" + bootstrapServers(),
            "spring.kafka.consumer.auto-offset-reset=earliest",
            // A seek, and a goodbye, wait for the broker's answer to the fetch that is under way.
            "spring.kafka.consumer.fetch-max-wait=20ms",
            "spring.kafka.consumer.properties.interceptor.classes=" + ObservedOffsets.class.getName(),
            "idem.consumer.in-place-wait=200ms",
            "idem.consumer.kafka.redelivery-delay=300ms"
        };
    }

    private static String bootstrapServers() {
        return SharedServers.kafka().bootstrapServers();
    }

    private static void createTopics(String name) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            admin.createTopics(Stream.of(PAYMENTS, FOR_BOTH, PAYMENTS + "-dlt", FOR_BOTH + "-dlt")
                            .map(topic -> new NewTopic(name + "." + topic, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Consumer<String, String> deadLetterReader(ConfigurableApplicationContext context) {
        ConsumerFactory<?, ?> factory = context.getBean(ConsumerFactory.class);
        @SuppressWarnings("unchecked")
        Consumer<String, String> reader =
                (Consumer<String, String>) factory.createConsumer("dead-letters-" + UUID.randomUUID(), null);
        List<TopicPartition> partitions = Stream.of(PAYMENTS, FOR_BOTH)
                .map(topic -> new TopicPartition(name(context) + "." + topic + "-dlt", 0))
                .toList();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        return reader;
    }

    private static String name(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("test.name");
    }

    @Override
    public void send(String body, Map<String, Object> headers) {
        String topic = name(context) + "." + (body.startsWith(FOR_BOTH) ? FOR_BOTH : PAYMENTS);
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, body);
        headers.forEach((name, value) -> record.headers().add(name, bytes(value)));
        template().send(record).join();
    }

    private static byte[] bytes(Object value) {
        return value instanceof byte[] raw ? raw : value.toString().getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("unchecked")
    private KafkaTemplate<String, String> template() {
        return (KafkaTemplate<String, String>) bean(KafkaTemplate.class);
    }

    @Override
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public List<String> deadLetters() {
        for (ConsumerRecord<String, String> letter : deadLetterReader.poll(Duration.ofMillis(200))) {
            deadLetters.add(letter.value());
        }
        return deadLetters;
    }

    @Override
    public boolean settled() {
        return unsettled() == 0;
    }

    @Override
    public long stopAndCountUnsettled() {
        bean(KafkaListenerEndpointRegistry.class).stop();
        return unsettled();
    }

    @Override
    public void startAgain() {
        deadLetters.clear();
        deadLetterReader.seekToEnd(deadLetterReader.assignment());
        deadLetterReader.assignment().forEach(deadLetterReader::position);
        bean(KafkaListenerEndpointRegistry.class).start();
    }

    private long unsettled() {
        return lag(PAYMENTS, PAYMENTS) + lag(PAYMENTS, FOR_BOTH) + lag(RECEIPTS, FOR_BOTH);
    }

    private long lag(String group, String topic) {
        TopicPartition partition = new TopicPartition(name(context) + "." + topic, 0);
        try {
            ListOffsetsResult.ListOffsetsResultInfo end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get();
            OffsetAndMetadata committed = admin.listConsumerGroupOffsets(name(context) + "." + group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(partition);
            return end.offset() - (committed == null ? 0 : committed.offset());
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        context.close();
        deadLetterReader.close();
        admin.close();
    }

    /** What every test's application has. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {

        /** Two retries, then the dead-letter topic, then the offset, which MANUAL_IMMEDIATE commits only on request. */
        @Bean
        DefaultErrorHandler errorHandler(KafkaTemplate<?, ?> template) {
            DefaultErrorHandler handler =
                    new DefaultErrorHandler(new DeadLetterPublishingRecoverer(template), new FixedBackOff(10, 2));
            handler.setCommitRecovered(true);
            return handler;
        }

        /** The application's own: must still be called. */
        @Bean
        RecordInterceptor<Object, Object> observeDeliveries(EventLog log) {
            return (record, consumer) -> {
                log.note(EventLog.DELIVERY);
                return record;
            };
        }

        @Bean
        DefaultKafkaConsumerFactoryCustomizer observeOffsets(EventLog log) {
            return factory -> {
                factory.updateConfigs(Map.of(ObservedOffsets.LOG, log));
                addPostProcessor(factory);
            };
        }

        @SuppressWarnings("unchecked")
        private static void addPostProcessor(DefaultKafkaConsumerFactory<?, ?> factory) {
            ((DefaultKafkaConsumerFactory<Object, Object>) factory).addPostProcessor(new CommitsDespiteWakeUps());
        }
    }
}
