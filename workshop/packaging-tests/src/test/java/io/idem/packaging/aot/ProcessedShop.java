package io.idem.packaging.aot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.memory.InMemoryIdempotencyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;

/** A shop that is processed ahead of time and started from the result. Sends itself every message twice. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(ProcessedShop.Listeners.class)
public class ProcessedShop {

    /** The text printed when both transports have handled both messages. */
    static final String HANDLED = "handled ";

    @Bean
    InMemoryIdempotencyStore store() {
        return new InMemoryIdempotencyStore();
    }

    @Bean
    Queue payments(Environment environment) {
        return new Queue(environment.getProperty("shop.name", "shop"), false, false, true);
    }

    @Bean
    NewTopic receipts(Environment environment) {
        return new NewTopic(environment.getProperty("shop.name", "shop"), 1, (short) 1);
    }

    static class Listeners {

        private final List<String> handled = new CopyOnWriteArrayList<>();
        private final CountDownLatch last = new CountDownLatch(2);

        @RabbitListener(queues = "${shop.name:shop}")
        @IdempotentListener(scope = "payments")
        void pay(String payment, IdempotencyContext context) {
            note("payment " + payment + " " + context.key().value());
        }

        @KafkaListener(topics = "${shop.name:shop}", groupId = "${shop.name:shop}")
        @IdempotentListener(scope = "receipts", key = "#receipt")
        void receipt(String receipt) {
            note("receipt " + receipt);
        }

        private void note(String message) {
            handled.add(message);
            if (message.contains("last")) {
                last.countDown();
            }
        }

        List<String> handledInTheEnd() throws InterruptedException {
            last.await(60, TimeUnit.SECONDS);
            return handled.stream().sorted().toList();
        }
    }

    /** Runs the shop. */
    public static void main(String[] settings) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(ProcessedShop.class, settings)) {
            for (String message : List.of("first", "first", "last")) {
                send(context, context.getEnvironment().getProperty("shop.name", "shop"), message);
            }
            System.out.println(HANDLED + context.getBean(Listeners.class).handledInTheEnd());
        }
    }

    private static void send(ConfigurableApplicationContext context, String to, String body) {
        context.getBean(RabbitTemplate.class).convertAndSend("", to, body, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, body);
            return message;
        });
        ProducerRecord<Object, Object> record = new ProducerRecord<>(to, body);
        record.headers().add(IdempotencyHeaders.TENANT, "shop".getBytes(UTF_8));
        @SuppressWarnings("unchecked")
        KafkaTemplate<Object, Object> template = context.getBean(KafkaTemplate.class);
        template.send(record).join();
    }
}
