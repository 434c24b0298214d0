package io.idem.applications.kafka.interceptortransaction;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/** An application with a record interceptor that begins a transaction. */
@SpringBootApplication
public class InterceptorTransaction {

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
    RecordInterceptor<Object, Object> transactions(PlatformTransactionManager manager) {
        return new InTransaction(manager);
    }

    private record InTransaction(PlatformTransactionManager manager) implements RecordInterceptor<Object, Object> {

        @Override
        public ConsumerRecord<Object, Object> intercept(
                ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
            manager.getTransaction(TransactionDefinition.withDefaults());
            return record;
        }
    }
}
