package io.idem.applications.rabbit.lambdapool;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with its own container, whose listener is a lambda that waits for a pool and rejects what fails. */
@SpringBootApplication
public class LambdaPool {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", autoStartup = "false")
        @IdempotentListener(scope = "payments")
        void pay(Message payment) {
            ledger.pay(new String(payment.getBody(), StandardCharsets.UTF_8));
        }
    }

    @Bean(destroyMethod = "shutdownNow")
    ExecutorService pool() {
        return Executors.newCachedThreadPool();
    }

    @Bean
    SimpleMessageListenerContainer container(
            ConnectionFactory connections,
            Payments payments,
            ExecutorService pool,
            @Value("${shop.queue}") String queue) {
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
        container.setQueueNames(queue);
        container.setDefaultRequeueRejected(false);
        container.setShutdownTimeout(500);
        container.setMessageListener(message ->
                CompletableFuture.runAsync(() -> payments.pay(message), pool).join());
        return container;
    }
}
