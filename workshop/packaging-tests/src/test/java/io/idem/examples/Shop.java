package io.idem.examples;

import java.util.concurrent.CompletionStage;
import org.springframework.http.ResponseEntity;

/** What the examples are about. */
final class Shop {

    private Shop() {}

    record Payment(String account, int cents) {}

    record PaymentRequest(String account, int amount) {}

    record PaymentRequested(String account, int amount) {}

    record PaymentSettled(String account) {}

    record Receipt(String text) {}

    record NewOrder(String item) {}

    record Order(String id, String item) {}

    interface Orders {

        Order save(NewOrder order);
    }

    interface PaymentProvider {

        CompletionStage<Receipt> charge(Order order, String key);

        Receipt charge(Payment payment);
    }

    static ResponseEntity<Payment> accepted(PaymentRequest request) {
        return ResponseEntity.accepted().body(new Payment(request.account(), request.amount()));
    }
}
