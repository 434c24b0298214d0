package io.idem.applications.http.service;

import io.idem.Idempotent;
import io.idem.applications.shop.Ledger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application whose handler is plain and calls a guarded method of a service. */
@SpringBootApplication
public class HandlerOfService {

    /** Guarded for each payment, whoever calls it. */
    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @Idempotent(scope = "payments", key = "#payment")
        String pay(String payment) {
            ledger.pay(payment);
            return "paid";
        }
    }

    @RestController
    static class Receiver {

        private final Payments payments;

        Receiver(Payments payments) {
            this.payments = payments;
        }

        @PostMapping("/payments")
        void receive(@RequestBody String payment) {
            payments.pay(payment);
        }
    }
}
