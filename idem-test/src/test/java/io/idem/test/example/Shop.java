package io.idem.test.example;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.consumer.IdempotentListener;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** Takes payments and parcels from RabbitMQ, shipments from Kafka and orders by HTTP. */
@SpringBootApplication
@RestController
class Shop {

    private final Ledger ledger;
    private final Carrier carrier;

    Shop(Ledger ledger, Carrier carrier) {
        this.ledger = ledger;
        this.carrier = carrier;
    }

    @RabbitListener(queues = "payments")
    @IdempotentListener(scope = "payments")
    void pay(String payment) {
        ledger.book(payment);
    }

    @RabbitListener(queues = "refunds", ackMode = "MANUAL")
    @IdempotentListener(scope = "refunds")
    void refund(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) throws IOException {
        ledger.book(payment);
        channel.basicAck(tag, false);
    }

    @RabbitListener(queues = "receipts")
    @IdempotentListener(scope = "receipts")
    CompletableFuture<Void> print(String payment) {
        return CompletableFuture.runAsync(() -> ledger.book(payment));
    }

    @RabbitListener(queues = "parcels")
    @IdempotentListener(scope = "parcels")
    void send(String parcel, IdempotencyContext attempt) {
        String label = attempt.step("label", String.class, step -> carrier.order(step.key()));
        ledger.book(parcel + " with " + label);
    }

    @KafkaListener(topics = "shipments", groupId = "shop")
    @IdempotentListener(scope = "shipments")
    void ship(String order) {
        ledger.book(order);
    }

    @PostMapping("/orders")
    @Idempotent
    String order(@RequestBody String order) {
        ledger.book(order);
        return "order " + ledger.entries().size();
    }

    /** What {@code @AutoConfigureMockMvc} does. */
    @Bean
    static MockMvc mvc(WebApplicationContext context, FilterRegistrationBean<IdempotencyServletFilter> filter) {
        return MockMvcBuilders.webAppContextSetup(context)
                .addFilters(Objects.requireNonNull(filter.getFilter()))
                .build();
    }
}
