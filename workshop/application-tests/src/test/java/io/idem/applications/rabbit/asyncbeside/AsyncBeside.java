package io.idem.applications.rabbit.asyncbeside;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;

/** An application with an asynchronous method in the class of the listener. */
@SpringBootApplication
public class AsyncBeside {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }

        /** An asynchronous method beside the listener. */
        @Async
        public void remind(String payment) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchrony {}
}
