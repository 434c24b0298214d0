package io.idem.applications.rabbit.stream;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.Argument;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application that reads a stream as if it were a queue. */
@SpringBootApplication
public class StreamPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(
                queuesToDeclare =
                        @Queue(
                                name = "${shop.queue}.stream",
                                arguments = @Argument(name = "x-queue-type", value = "stream")))
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }
}
