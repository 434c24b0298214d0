package io.idem.examples.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.examples.Failing;
import io.idem.examples.GuidePage;
import io.idem.servers.AmqpServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.annotation.IntegrationComponentScan;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.handler.annotation.Header;

/** The flow of docs/guide-spring-integration.md, with the metadata store and behind idem, one after the other over the same queue. */
@Tag("extended")
class SpringIntegrationGuideTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private final RunningAmqp broker = AmqpServers.start(ServerOptions.own());

    @AfterEach
    void stopServers() {
        broker.close();
        redis.close();
    }

    @Test
    void idemRunsTheMetadataStoresLossesAndEarlierNotesStayDone() {
        try (ConfigurableApplicationContext before = start(Before.class)) {
            send(before, "o-1", "done");
            send(before, "o-2", "fails");
            send(before, "o-3", "behind it");

            Inbound inbound = before.getBean(Inbound.class);
            await().atMost(LONG).until(() -> inbound.received.size() == 4);
            Failing warehouse = warehouse(before);
            await().atMost(LONG).until(() -> warehouse.shipped().contains("behind it"));
            before.close();
            assertThat(inbound.received).containsExactlyInAnyOrder("o-1", "o-2", "o-2", "o-3");
            assertThat(warehouse.shipped()).as("what failed is lost").containsExactly("done", "behind it");
        }
        assertThat(redis.command("HDEL", "orders-seen", "o-2")).isEqualTo("1");
        try (ConfigurableApplicationContext after = start(After.class)) {
            send(after, "o-1", "done");
            send(after, "o-2", "found missing");
            send(after, "o-4", "fails");
            send(after, "o-4", "fails");
            send(after, "o-5", "behind it");

            Failing warehouse = warehouse(after);
            await().atMost(LONG).until(() -> warehouse.shipped().size() >= 3);
            after.close();
            assertThat(warehouse.failed()).containsExactly("fails");
            assertThat(warehouse.shipped()).containsExactlyInAnyOrder("found missing", "fails", "behind it");
        }
    }

    private static Failing warehouse(ConfigurableApplicationContext application) {
        return application.getBean(Failing.class);
    }

    private ConfigurableApplicationContext start(Class<?> service) {
        return GuidePage.of("guide-spring-integration.md")
                .start(
                        service,
                        "idem.jdbc.enabled=false", // the service has no database, this module has the libraries
                        "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
                        "spring.data.redis.url=" + redis.uri(),
                        "spring.rabbitmq.host=" + broker.host(),
                        "spring.rabbitmq.port=" + broker.port(),
                        "spring.rabbitmq.username=" + broker.username(),
                        "spring.rabbitmq.password=" + broker.password(),
                        "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                        "spring.rabbitmq.publisher-confirm-type=correlated",
                        "spring.rabbitmq.publisher-returns=true");
    }

    private static void send(ConfigurableApplicationContext application, String id, String item) {
        application.getBean(RabbitTemplate.class).convertAndSend("orders", new Order(id, item), message -> {
            message.getMessageProperties().setHeader("order-id", id);
            return message;
        });
    }

    /** In place of an inbound adapter: it too calls the flow on the container's thread, and lets out what is thrown there. */
    static class Inbound {

        final Queue<String> received = new ConcurrentLinkedQueue<>();
        private final BeanFactory beans;

        Inbound(BeanFactory beans) {
            this.beans = beans;
        }

        @RabbitListener(queues = "orders")
        void receive(Order order, @Header("order-id") String id) {
            received.add(id);
            beans.getBean("orders", MessageChannel.class)
                    .send(MessageBuilder.withPayload(order)
                            .setHeader("order-id", id)
                            .build());
        }
    }

    /** The flow, which stays, and the old store. */
    static class FlowAfter {

        private final Warehouse warehouse;

        FlowAfter(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        @Bean
        ConcurrentMetadataStore ordersSeen(RedisConnectionFactory redis) {
            return new RedisMetadataStore(redis, "orders-seen");
        }

        @ServiceActivator(inputChannel = "orders")
        void ship(Order order) {
            warehouse.ship(order);
        }
    }

    @Import({FlowBefore.class, Inbound.class})
    static class Before extends Service {}

    @Import(FlowAfter.class)
    @IntegrationComponentScan
    @ComponentScan(
            useDefaultFilters = false,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = OrdersListener.class))
    static class After extends Service {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EnableIntegration
    abstract static class Service {

        @Bean
        Failing failing() {
            return new Failing();
        }

        @Bean
        Warehouse warehouse(Failing failing) {
            return order -> failing.ship(order.item());
        }

        @Bean
        org.springframework.amqp.core.Queue queue() {
            return new org.springframework.amqp.core.Queue("orders");
        }

        @Bean
        JacksonJsonMessageConverter json() {
            return new JacksonJsonMessageConverter();
        }
    }
}
