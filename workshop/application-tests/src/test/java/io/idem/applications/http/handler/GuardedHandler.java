package io.idem.applications.http.handler;

import io.idem.Idempotent;
import io.idem.applications.shop.Ledger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application with a handler of requests that carry a key. */
@SpringBootApplication
public class GuardedHandler {

    @RestController
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @PostMapping("/payments")
        @Idempotent
        String pay(@RequestBody String payment) {
            ledger.pay(payment);
            return "paid";
        }
    }
}
