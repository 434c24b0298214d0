package io.idem.applications.rabbit.listenererrorhandler;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.nio.charset.StandardCharsets;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application with an error handler of the listener that handles failures itself. */
@SpringBootApplication
public class ExcusedPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", errorHandler = "excuses")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    RabbitListenerErrorHandler excuses(Ledger ledger) {
        return (amqp, channel, message, failure) -> {
            ledger.setAside(new String(amqp.getBody(), StandardCharsets.UTF_8));
            return null;
        };
    }
}
