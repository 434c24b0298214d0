package io.idem.applications.http.webhook;

import io.idem.applications.shop.Ledger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application that receives signed events of GitHub. */
@SpringBootApplication
public class WebhookPayments {

    @RestController
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @PostMapping("/payments")
        String pay(@RequestBody String payment) {
            ledger.pay(payment);
            return "paid";
        }
    }
}
