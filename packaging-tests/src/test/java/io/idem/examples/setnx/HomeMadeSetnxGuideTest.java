package io.idem.examples.setnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.examples.GuidePage;
import io.idem.servers.AmqpServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The step of docs/guide-home-made-setnx.md in which both are in force. */
@Tag("extended")
class HomeMadeSetnxGuideTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void whatWasMarkedBeforeIsNotBookedAndWhatComesNowIsBookedOnceAlsoAfterAFailure() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                RunningAmqp broker = AmqpServers.start(ServerOptions.own());
                ConfigurableApplicationContext application = GuidePage.of("guide-home-made-setnx.md")
                        .start(
                                Service.class,
                                "idem.jdbc.enabled=false", // the service has no database, this module has the libraries
                                "spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
                                "spring.data.redis.url=" + redis.uri(),
                                "spring.rabbitmq.host=" + broker.host(),
                                "spring.rabbitmq.port=" + broker.port(),
                                "spring.rabbitmq.username=" + broker.username(),
                                "spring.rabbitmq.password=" + broker.password(),
                                "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                                "spring.rabbitmq.publisher-confirm-type=correlated",
                                "spring.rabbitmq.publisher-returns=true")) {
            StringRedisTemplate markers = application.getBean(StringRedisTemplate.class);
            RabbitTemplate rabbit = application.getBean(RabbitTemplate.class);
            Failing ledger = application.getBean(Failing.class);
            markers.opsForValue().set("paid:p-1", "1");

            for (String id : List.of("p-1", "p-2", "p-2", "p-3", "p-4")) {
                rabbit.convertAndSend("payments", new Payment(id, 100));
            }

            await().atMost(LONG).until(() -> ledger.booked.containsAll(List.of("p-2", "p-3", "p-4")));
            await().atMost(LONG).until(() -> "idem".equals(markers.opsForValue().get("paid:p-4")));
            assertThat(ledger.booked).containsExactlyInAnyOrder("p-2", "p-3", "p-4");
            assertThat(markers.opsForValue().get("paid:p-1")).isEqualTo("1");
        }
    }

    /** Fails with {@code p-3} at the first attempt. */
    static final class Failing implements Ledger {

        final Queue<String> booked = new ConcurrentLinkedQueue<>();
        private boolean failed;

        @Override
        public synchronized void book(Payment payment) {
            if (payment.id().equals("p-3") && !failed) {
                failed = true;
                throw new IllegalStateException("the first attempt fails");
            }
            booked.add(payment.id());
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Markers.class, PaymentsBetween.class})
    static class Service {

        @Bean
        Failing ledger() {
            return new Failing();
        }

        @Bean
        org.springframework.amqp.core.Queue payments() {
            return new org.springframework.amqp.core.Queue("payments");
        }

        @Bean
        JacksonJsonMessageConverter json() {
            return new JacksonJsonMessageConverter();
        }
    }
}
