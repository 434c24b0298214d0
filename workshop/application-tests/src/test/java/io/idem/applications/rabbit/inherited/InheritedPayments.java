package io.idem.applications.rabbit.inherited;

import io.idem.applications.rabbit.inherited.base.BasePayments;
import io.idem.applications.shop.Ledger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** A listener method inherited from another package, where no proxy can override it. */
@SpringBootApplication
public class InheritedPayments {

    @Component
    static class Payments extends BasePayments {

        Payments(Ledger ledger) {
            super(ledger);
        }
    }
}
