package io.idem.http.setup;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An annotated controller. */
@RestController
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Ledger.class, OpenServlets.class})
class Controller {

    private final Ledger ledger;

    Controller(Ledger ledger) {
        this.ledger = ledger;
    }

    @PostMapping("/v1/payments")
    String pay(@RequestBody String payment) {
        return ledger.book(payment);
    }
}
