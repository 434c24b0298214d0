package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ContractConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.AnonymousQueue;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.PartitionOffset;
import org.springframework.kafka.annotation.TopicPartition;

/** What the start tells of listeners whose messages may have equal keys. No broker is needed. */
@ExtendWith(OutputCaptureExtension.class)
class ListenerSourcesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    "HOSTNAME=shop-7d9f",
                    "spring.kafka.consumer.enable-auto-commit=false",
                    "spring.rabbitmq.listener.simple.auto-startup=false",
                    "spring.kafka.listener.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    static class Topics {

        @KafkaListener(
                topics = {"placed", "cancelled"},
                groupId = "shop")
        @IdempotentListener(scope = "orders", key = "message.key()")
        void on(String body) {}
    }

    static class TopicsByPattern {

        @KafkaListener(topicPattern = "orders-.*", groupId = "shop")
        @IdempotentListener(scope = "orders", keyFields = "/id")
        void on(String body) {}
    }

    static class Queues {

        @RabbitListener(queues = {"placed", "cancelled"})
        @IdempotentListener(scope = "orders", keyFields = "/id")
        void on(String body) {}
    }

    static class TwoContainers {

        @RabbitListener(queues = "placed")
        @RabbitListener(queues = "cancelled")
        @IdempotentListener(scope = "orders", keyFields = "/id")
        void on(String body) {}
    }

    static class TwoGroups {

        @KafkaListener(topics = "orders", groupId = "shop")
        @KafkaListener(topics = "orders", groupId = "audit")
        @IdempotentListener(scope = "orders", key = "message.key()")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {Topics.class, TopicsByPattern.class, Queues.class, TwoContainers.class, TwoGroups.class})
    void keysOfTheirContentInSeveralQueuesOrTopicsAreWarnedOf(Class<?> listener, CapturedOutput output) {
        runner.withUserConfiguration(listener)
                .run(context -> assertThat(output)
                        .containsPattern("WARN.* @IdempotentListener " + listener.getSimpleName()
                                + "\\.on reads .*: of messages")
                        .contains("name the queue or topic in key"));
    }

    static class QueuesWithKeysInHeaders {

        @RabbitListener(queues = {"urgent", "other"})
        @IdempotentListener(scope = "orders")
        void on(String body) {}
    }

    static class TopicsInTheKey {

        @KafkaListener(
                topics = {"placed", "cancelled"},
                groupId = "shop")
        @IdempotentListener(scope = "orders", key = "message.topic() + message.key()")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {QueuesWithKeysInHeaders.class, TopicsInTheKey.class})
    void otherKeysInSeveralQueuesOrTopicsAreInformation(Class<?> listener, CapturedOutput output) {
        runner.withUserConfiguration(listener)
                .run(context -> assertThat(output).containsPattern("INFO.* reads \\[.*: of messages"));
    }

    static class ServerNamedQueue {

        @RabbitListener(
                bindings =
                        @QueueBinding(
                                value = @org.springframework.amqp.rabbit.annotation.Queue,
                                exchange = @Exchange(name = "evictions", type = "fanout")))
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class QueueOfInstance {

        @Bean
        static Queue own() {
            return new AnonymousQueue();
        }

        @RabbitListener(queues = "#{own.name}")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class QueueWithPrefix {

        @Bean
        static Queue own() {
            return new AnonymousQueue(() -> "prices-7ovUUKsLTfKYj-n1rAmo8Q");
        }

        @RabbitListener(queues = "#{own.name}")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    /** One of forty generated names has no digit. */
    static class QueueWithoutDigit {

        @Bean
        static Queue own() {
            return new AnonymousQueue(() -> "prices-qVoUUKsLTfKYj-nBrAmoXQ");
        }

        @RabbitListener(queues = "#{own.name}")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class QueueOfHost {

        @RabbitListener(queues = "evict-${HOSTNAME}")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class RandomGroup {

        @KafkaListener(topics = "evictions", groupId = "evict-#{T(java.util.UUID).randomUUID()}")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class NumberedGroup {

        @KafkaListener(topics = "evictions", groupId = "evict-#{T(System).currentTimeMillis()}")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class NegativeGroup {

        @KafkaListener(topics = "evictions", groupId = "evict--1203948571")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class ShortGroup {

        @KafkaListener(topics = "evictions", groupId = "evict-0be25601")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    static class GroupOfTheSettings {

        @KafkaListener(topics = "evictions")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ServerNamedQueue.class,
                QueueOfInstance.class,
                QueueWithPrefix.class,
                QueueWithoutDigit.class,
                QueueOfHost.class,
                RandomGroup.class,
                NumberedGroup.class,
                NegativeGroup.class,
                ShortGroup.class,
                GroupOfTheSettings.class
            })
    void aQueueOrGroupOfEachInstanceIsWarnedOf(Class<?> listener, CapturedOutput output) {
        runner.withUserConfiguration(listener)
                .withPropertyValues("spring.kafka.consumer.group-id=evict-0be25601019542e684c5ed62a5e806d0")
                .run(context -> assertThat(output)
                        .containsPattern("WARN.* @IdempotentListener " + listener.getSimpleName() + "\\.on reads by ")
                        .contains("To run it in each, remove @IdempotentListener, or name"));
    }

    static class GroupOfWords {

        @KafkaListener(topics = "evictions", groupId = "evict.OrdersPaymentsReceived")
        @IdempotentListener(scope = "evict")
        void on(String body) {}
    }

    @Test
    void aNameOfWordsIsNotTakenForGenerated(CapturedOutput output) {
        runner.withUserConfiguration(GroupOfWords.class)
                .run(context -> assertThat(output).doesNotContain("a name as of one instance"));
    }

    static class Rewound {

        @KafkaListener(
                groupId = "shop",
                topicPartitions =
                        @TopicPartition(
                                topic = "prices",
                                partitions = "0",
                                partitionOffsets = @PartitionOffset(partition = "1", initialOffset = "0")))
        @IdempotentListener(scope = "cache")
        void on(String body) {}
    }

    @Test
    void aTopicThatEachStartReadsFromAGivenOffsetIsWarnedOf(CapturedOutput output) {
        runner.withUserConfiguration(Rewound.class)
                .run(context -> assertThat(output)
                        .containsPattern("WARN.* @IdempotentListener Rewound\\.on reads from a given offset")
                        .contains("To run it in each, remove @IdempotentListener"));
    }

    static class TwoScopesOfAQueue {

        @RabbitListener(queues = "mixed")
        @IdempotentListener(scope = "one")
        void one(String body) {}

        @RabbitListener(queues = "mixed")
        @IdempotentListener(scope = "two")
        void two(String body) {}
    }

    static class TwoConnections {

        @Bean
        @Primary
        static ConnectionFactory first() {
            return new CachingConnectionFactory("localhost", 1);
        }

        @Bean
        static SimpleRabbitListenerContainerFactory overSecond(@Qualifier("second") ConnectionFactory connection) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connection);
            factory.setAutoStartup(false);
            return factory;
        }

        @RabbitListener(queues = "mixed")
        @IdempotentListener(scope = "one")
        void one(String body) {}

        @RabbitListener(queues = "mixed", containerFactory = "overSecond")
        @IdempotentListener(scope = "two")
        void two(String body) {}
    }

    static class TwoScopesOverTwoConnections extends TwoConnections {

        @Bean
        static ConnectionFactory second() {
            CachingConnectionFactory addressed = new CachingConnectionFactory("elsewhere");
            addressed.setAddresses("localhost:1");
            return addressed;
        }
    }

    static class TwoScopesOfAPattern {

        @KafkaListener(topicPattern = "mix.*", groupId = "shop")
        @IdempotentListener(scope = "one")
        void one(String body) {}

        @KafkaListener(topics = "mixed", groupId = "shop")
        @IdempotentListener(scope = "two")
        void two(String body) {}
    }

    static class TwoScopesOfAGroup {

        @KafkaListener(topics = "mixed", groupId = "shop")
        @IdempotentListener(scope = "one")
        void one(String body) {}

        @KafkaListener(
                topics = {"other", "mixed"},
                groupId = "shop")
        @IdempotentListener(scope = "two")
        void two(String body) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {TwoScopesOfAQueue.class, TwoScopesOverTwoConnections.class, TwoScopesOfAGroup.class})
    void twoScopesOfOneQueueOrGroupAreWarnedOf(Class<?> listeners, CapturedOutput output) {
        runner.withUserConfiguration(listeners).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).containsOnlyOnce("mixed is read under ").contains("a queue or consumer group for each");
        });
    }

    @Test
    void aTopicThatAPatternOfItsGroupMatchesIsReadUnderBothScopes(CapturedOutput output) {
        runner.withUserConfiguration(TwoScopesOfAPattern.class)
                .run(context -> assertThat(output)
                        .containsOnlyOnce(" is read under ")
                        .containsPattern("(mixed|topics like mix\\.\\*) is read under "));
    }

    static class ScopeOfInstance {

        @RabbitListener(queues = "evict-${HOSTNAME}")
        @IdempotentListener(scope = "evict-${HOSTNAME}")
        void on(String body) {}
    }

    static class OneOfEach {

        @RabbitListener(queues = "orders")
        @IdempotentListener(scope = "rabbit", keyFields = "/id")
        void queue(String body) {}

        @KafkaListener(topics = "orders", groupId = "shop")
        @IdempotentListener(scope = "kafka", keyFields = "/id")
        void topic(String body) {}
    }

    static class OneQueueNameOnTwoHosts extends TwoConnections {

        @Bean
        static ConnectionFactory second() {
            CachingConnectionFactory other = new CachingConnectionFactory("localhost", 1);
            other.setVirtualHost("other");
            return other;
        }
    }

    static class NamesOfTheApplication {

        @RabbitListener(queues = "orders-123456789012")
        @IdempotentListener(scope = "account")
        void account(String body) {}

        @KafkaListener(topics = "orders", groupId = "orders-20261130")
        @IdempotentListener(scope = "day")
        void day(String body) {}

        @KafkaListener(topicPattern = "order", groupId = "orders.payments-for-warehouse")
        @IdempotentListener(scope = "long")
        void ofManyWords(String body) {}
    }

    @RabbitListener(queues = "mixed")
    static class HandlersOfAClass {

        @RabbitHandler
        @IdempotentListener(scope = "texts")
        void text(String body) {}

        @RabbitHandler
        @IdempotentListener(scope = "numbers")
        void number(Integer body) {}
    }

    static class GroupForEachScope {

        @KafkaListener(topics = "orders", groupId = "mail")
        @IdempotentListener(scope = "mail")
        void mail(String body) {}

        @KafkaListener(topics = "orders", groupId = "stock")
        @IdempotentListener(scope = "stock")
        void stock(String body) {}
    }

    static class AssignedPartitions {

        @KafkaListener(groupId = "shop", topicPartitions = @TopicPartition(topic = "orders", partitions = "0"))
        @IdempotentListener(scope = "one")
        void one(String body) {}

        @KafkaListener(groupId = "shop", topicPartitions = @TopicPartition(topic = "orders", partitions = "1"))
        @IdempotentListener(scope = "two")
        void two(String body) {}
    }

    @Test
    void namesThatTheApplicationMadeAreNotThoseOfInstances(CapturedOutput output) {
        runner.withUserConfiguration(NamesOfTheApplication.class)
                .run(context -> assertThat(output).doesNotContain(" reads by ", " is read "));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ScopeOfInstance.class,
                OneOfEach.class,
                OneQueueNameOnTwoHosts.class,
                HandlersOfAClass.class,
                GroupForEachScope.class,
                AssignedPartitions.class
            })
    void nothingIsToldOfOneSharedQueueOrTopic(Class<?> listener, CapturedOutput output) {
        runner.withUserConfiguration(listener).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain(" reads ", " is read ");
        });
    }
}
