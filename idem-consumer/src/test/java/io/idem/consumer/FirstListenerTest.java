package io.idem.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.util.ReflectionUtils;

/**
 * An ordinary application whose listeners have got an annotation and a scope, and nothing else: Spring Boot's defaults, the
 * store in the Redis that it has already.
 */
@Tag("servers")
class FirstListenerTest {

    private final String name = "first-" + UUID.randomUUID();

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        private final List<String> handled = new CopyOnWriteArrayList<>();

        @RabbitListener(queues = "${shop.name}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            note(payment);
        }

        @KafkaListener(topics = "${shop.name}", groupId = "${shop.name}")
        @IdempotentListener(scope = "receipts")
        void receipt(String receipt) {
            note(receipt);
        }

        private void note(String message) {
            handled.add(message + (onVirtualThread() ? " on a virtual thread" : ""));
        }

        List<String> handled() {
            return handled;
        }

        @Bean
        Queue payments(Environment environment) {
            return new Queue(environment.getRequiredProperty("shop.name"), false, false, true);
        }

        @Bean
        NewTopic receipts(Environment environment) {
            return new NewTopic(environment.getRequiredProperty("shop.name"), 1, (short) 1);
        }
    }

    /** By name: it is there since Java 21. */
    private static boolean onVirtualThread() {
        var isVirtual = ReflectionUtils.findMethod(Thread.class, "isVirtual");
        return isVirtual != null
                && Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isVirtual, Thread.currentThread()));
    }

    private ConfigurableApplicationContext start(String... settings) {
        RunningAmqp rabbit = SharedServers.amqp();
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "shop.name=" + name,
                        "spring.main.banner-mode=off",
                        "spring.rabbitmq.host=" + rabbit.host(),
                        "spring.rabbitmq.port=" + rabbit.port(),
                        "spring.rabbitmq.username=" + rabbit.username(),
                        "spring.rabbitmq.password=" + rabbit.password(),
                        "spring.rabbitmq.virtual-host=" + rabbit.virtualHost(),
                        "spring.kafka.bootstrap-servers="
                                + SharedServers.kafka().bootstrapServers(),
                        "spring.kafka.consumer.auto-offset-reset=earliest",
                        "spring.data.redis.url=" + SharedServers.redis().uri())
                .properties(settings)
                .run();
    }

    private void sendBoth(ConfigurableApplicationContext shop, String key) {
        shop.getBean(RabbitTemplate.class).convertAndSend("", name, "payment " + key, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, name + key);
            return message;
        });
        ProducerRecord<Object, Object> record = new ProducerRecord<>(name, "receipt " + key);
        record.headers().add(IdempotencyHeaders.KEY, (name + key).getBytes(StandardCharsets.UTF_8));
        @SuppressWarnings("unchecked")
        KafkaTemplate<Object, Object> template = shop.getBean(KafkaTemplate.class);
        template.send(record).join();
    }

    private static void awaitHandled(ConfigurableApplicationContext shop, String... messages) {
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(shop.getBean(Shop.class).handled()).contains(messages));
    }

    @Test
    void anAnnotationAndAScopeProtectAnOrdinaryListener() {
        try (ConfigurableApplicationContext shop = start()) {
            sendBoth(shop, "1");
            sendBoth(shop, "1");
            sendBoth(shop, "2");
            awaitHandled(shop, "payment 2", "receipt 2");

            assertThat(shop.getBean(Shop.class).handled())
                    .containsExactlyInAnyOrder("payment 1", "payment 2", "receipt 1", "receipt 2");
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "NOT RUN: virtual threads need Java 21")
    void onVirtualThreadsToo() {
        try (ConfigurableApplicationContext shop = start("spring.threads.virtual.enabled=true")) {
            sendBoth(shop, "1");
            sendBoth(shop, "1");
            sendBoth(shop, "2");
            awaitHandled(shop, "payment 2 on a virtual thread", "receipt 2 on a virtual thread");

            assertThat(shop.getBean(Shop.class).handled()).hasSize(4);
        }
    }
}
