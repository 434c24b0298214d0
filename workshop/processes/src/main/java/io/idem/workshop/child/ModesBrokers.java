package io.idem.workshop.child;

import io.idem.servers.spring.RabbitOfBoot;
import java.util.Map;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;

/** The queues and topics of {@link ModesWorkerMain}, and the containers that Spring Boot does not configure. */
@Configuration(proxyBeanMethods = false)
class ModesBrokers {

    private static final int BATCH = 3;

    /** A receive timeout that is longer than a test takes to publish the next message of a batch. */
    private static final long NEXT_MESSAGE_MILLIS = 5_000;

    private final String name;

    ModesBrokers(@Value("${e2e.name}") String name) {
        this.name = name;
    }

    @Bean
    Declarables queues() {
        return new Declarables(new Queue(name + ".rabbit-batches"), new Queue(name + ".rabbit-late"));
    }

    @Bean
    KafkaAdmin.NewTopics topics() {
        return new KafkaAdmin.NewTopics(
                TopicBuilder.name(name + ".kafka-batches").partitions(1).build(),
                TopicBuilder.name(name + ".kafka-late").partitions(1).build(),
                TopicBuilder.name(name + ".kafka-transacted").partitions(1).build());
    }

    @Bean
    SimpleRabbitListenerContainerFactory batches(ConnectionFactory connections, BeanFactory beans) {
        SimpleRabbitListenerContainerFactory factory =
                RabbitOfBoot.configured(new SimpleRabbitListenerContainerFactory(), connections, beans);
        factory.setBatchListener(true);
        factory.setConsumerBatchEnabled(true);
        factory.setBatchSize(BATCH);
        factory.setReceiveTimeout(NEXT_MESSAGE_MILLIS);
        return factory;
    }

    /** Creates the factory with a transaction manager that is no bean; all listeners would use a bean. */
    @Bean
    ConcurrentKafkaListenerContainerFactory<Object, Object> transacted(
            ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
            ConsumerFactory<Object, Object> consumers,
            ProducerFactory<Object, Object> producers) {
        ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                new ConcurrentKafkaListenerContainerFactory<>();
        configurer.configure(factory, consumers);
        DefaultKafkaProducerFactory<Object, Object> transactional = (DefaultKafkaProducerFactory<Object, Object>)
                producers.copyWithConfigurationOverride(Map.of("transactional.id", name + "-"));
        factory.getContainerProperties().setKafkaAwareTransactionManager(new KafkaTransactionManager<>(transactional));
        return factory;
    }
}
