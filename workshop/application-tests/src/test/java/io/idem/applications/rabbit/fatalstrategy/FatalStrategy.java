package io.idem.applications.rabbit.fatalstrategy;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with an error handler that treats every exception as fatal. */
@SpringBootApplication
public class FatalStrategy {

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
    SimpleRabbitListenerContainerFactory own(ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
        factory.setConnectionFactory(connections);
        factory.setErrorHandler(new ConditionalRejectingErrorHandler(failure -> true));
        return factory;
    }
}
