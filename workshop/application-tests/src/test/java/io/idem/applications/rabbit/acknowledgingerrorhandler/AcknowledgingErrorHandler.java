package io.idem.applications.rabbit.acknowledgingerrorhandler;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.listener.ListenerExecutionFailedException;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with an error handler that keeps and acknowledges failed messages. */
@SpringBootApplication
public class AcknowledgingErrorHandler {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", containerFactory = "own")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    SimpleRabbitListenerContainerFactory own(ConnectionFactory connections, Ledger ledger) {
        SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
        factory.setConnectionFactory(connections);
        factory.setErrorHandler(failure -> {
            if (failure instanceof ListenerExecutionFailedException failed) {
                ledger.setAside(new String(
                        Objects.requireNonNull(failed.getFailedMessage()).getBody(), StandardCharsets.UTF_8));
            }
            throw new ImmediateAcknowledgeAmqpException("Kept elsewhere");
        });
        return factory;
    }
}
