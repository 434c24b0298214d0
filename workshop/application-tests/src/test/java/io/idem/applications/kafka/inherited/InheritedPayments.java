package io.idem.applications.kafka.inherited;

import io.idem.applications.kafka.inherited.base.BasePayments;
import io.idem.applications.shop.Ledger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** An application whose listener method is inherited from another package, so that no proxy can override it. */
@SpringBootApplication
public class InheritedPayments {

    @Component
    static class Payments extends BasePayments {

        Payments(Ledger ledger) {
            super(ledger);
        }
    }
}
