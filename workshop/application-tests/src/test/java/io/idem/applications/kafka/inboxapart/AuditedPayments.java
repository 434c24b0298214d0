package io.idem.applications.kafka.inboxapart;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** An application whose inbox work calls a service with a transaction of its own. */
@SpringBootApplication
public class AuditedPayments {

    @Component
    static class Payments {

        private final Audit audit;
        private final Ledger ledger;

        Payments(Audit audit, Ledger ledger) {
            this.audit = audit;
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments", inbox = true)
        void pay(String payment) {
            audit.note();
            ledger.pay(payment);
        }
    }

    @Service
    static class Audit {

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void note() {}
    }
}
