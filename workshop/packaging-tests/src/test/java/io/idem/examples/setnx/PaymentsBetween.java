package io.idem.examples.setnx;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.stereotype.Component;

@Component
class PaymentsBetween {

    private final Markers markers;
    private final Ledger ledger;

    PaymentsBetween(Markers markers, Ledger ledger) {
        this.markers = markers;
        this.ledger = ledger;
    }

    @RabbitListener(queues = "payments")
    @IdempotentListener(scope = "payments", key = "#payment.id()")
    void pay(Payment payment) {
        if (markers.isFromBefore(payment)) {
            return; // done by the version before; from now on idem's record says so
        }
        ledger.book(payment); // commits
        markers.leave(payment);
    }
}
