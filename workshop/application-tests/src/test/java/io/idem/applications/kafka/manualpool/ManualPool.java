package io.idem.applications.kafka.manualpool;

import io.idem.applications.shop.CardRefusedException;
import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.stereotype.Component;

/** An application with mode MANUAL that passes its work to a pool and acknowledges it there. */
@SpringBootApplication
public class ManualPool {

    @Component
    static class Payments implements AutoCloseable {

        private final Ledger ledger;
        private final ExecutorService pool = Executors.newFixedThreadPool(2);

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        public void pay(String payment, Acknowledgment acknowledgment) {
            pool.execute(() -> work(payment, acknowledgment));
        }

        private void work(String payment, Acknowledgment acknowledgment) {
            try {
                ledger.pay(payment);
            } catch (CardRefusedException refused) {
                ledger.setAside(payment);
            }
            acknowledgment.acknowledge();
        }

        @Override
        public void close() {
            pool.shutdownNow();
        }
    }
}
