package io.idem.consumer.upstream;

import io.idem.servers.SharedServers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;

/** Applications of spring-kafka alone, each on a topic of its own, named by the property {@code topic}, which is also their group. */
final class PlainKafka {

    private static final Map<String, Object> SERVERS =
            Map.of("bootstrap.servers", SharedServers.kafka().bootstrapServers());

    private final String topic = "upstream-" + UUID.randomUUID();
    private final int partitions;

    PlainKafka() {
        this(1);
    }

    /** Makes a topic of several partitions, which get records in turn. */
    PlainKafka(int partitions) {
        this.partitions = partitions;
    }

    static ConcurrentKafkaListenerContainerFactory<String, String> factory(CommonErrorHandler handler) {
        ConcurrentKafkaListenerContainerFactory<String, String> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(
                Map.of("bootstrap.servers", SharedServers.kafka().bootstrapServers(), "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer()));
        factory.setCommonErrorHandler(handler);
        factory.getContainerProperties().setPollTimeout(100);
        return factory;
    }

    /** Starts with these records in the topic, so that the first poll gets them all. */
    AnnotationConfigApplicationContext start(List<String> bodies, Class<?>... sources) throws Exception {
        try (Admin admin = Admin.create(SERVERS);
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(SERVERS, new StringSerializer(), new StringSerializer())) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
            for (int i = 0; i < bodies.size(); i++) {
                producer.send(new ProducerRecord<>(topic, i % partitions, null, bodies.get(i)))
                        .get();
            }
        }
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("topic", topic)));
        context.register(sources);
        context.refresh();
        return context;
    }

    long committed() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(SERVERS)) {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(topic)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, 0));
            return offset == null ? 0 : offset.offset();
        }
    }
}
