package io.idem.applications.kafka.owncommonerrorhandler;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.stereotype.Component;

/** An application with an error handler that keeps failed records and continues. */
@SpringBootApplication
public class OwnErrorHandler {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    CommonErrorHandler errorHandler(Ledger ledger) {
        return new KeepingErrorHandler(ledger);
    }

    private record KeepingErrorHandler(Ledger ledger) implements CommonErrorHandler {

        @Override
        public boolean handleOne(
                Exception failure,
                ConsumerRecord<?, ?> record,
                Consumer<?, ?> consumer,
                MessageListenerContainer container) {
            ledger.setAside(String.valueOf(record.value()));
            return true;
        }
    }
}
