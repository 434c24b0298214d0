package io.idem.applications.covering;

import io.idem.consumer.IdempotentListener;
import jakarta.validation.constraints.NotBlank;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.validation.annotation.Validated;

/**
 * Kafka listeners, one for each kind of proxy, with an expression for the key. If code registers the containers, the
 * container of the annotation does not start.
 */
final class KafkaListenersByExpression {

    private KafkaListenersByExpression() {}

    static class Plain {

        private final Work work;

        Plain(Work work) {
            this.work = work;
        }

        @KafkaListener(
                topics = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(String payment, Acknowledgment acknowledgment) {
            work.pay(payment, acknowledgment);
        }
    }

    static class Interfaced implements KafkaPaying {

        private final Work work;

        Interfaced(Work work) {
            this.work = work;
        }

        @Override
        @KafkaListener(
                topics = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(String payment, Acknowledgment acknowledgment) {
            work.pay(payment, acknowledgment);
        }
    }

    static class Asynchronous {

        private final Work work;

        Asynchronous(Work work) {
            this.work = work;
        }

        @KafkaListener(
                topics = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(String payment, Acknowledgment acknowledgment) {
            work.pay(payment, acknowledgment);
        }

        /** An asynchronous method beside the listener. */
        @Async
        public void remind(String payment) {}
    }

    @Validated
    static class Validating {

        private final Work work;

        Validating(Work work) {
            this.work = work;
        }

        @KafkaListener(
                topics = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(@NotBlank String payment, Acknowledgment acknowledgment) {
            work.pay(payment, acknowledgment);
        }
    }

    static class InTransaction {

        private final Work work;

        InTransaction(Work work) {
            this.work = work;
        }

        @KafkaListener(
                topics = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        @Transactional
        public void pay(String payment, Acknowledgment acknowledgment) {
            work.pay(payment, acknowledgment);
        }
    }

    static class Authorized {

        private final Work work;

        Authorized(Work work) {
            this.work = work;
        }

        @KafkaListener(
                topics = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        @PreAuthorize("permitAll()")
        public void pay(String payment, Acknowledgment acknowledgment) {
            work.pay(payment, acknowledgment);
        }
    }
}
