package io.idem.applications.covering;

import com.rabbitmq.client.Channel;
import io.idem.consumer.IdempotentListener;
import jakarta.validation.constraints.NotBlank;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.validation.annotation.Validated;

/**
 * RabbitMQ listeners, one for each kind of proxy, with an expression for the key. If code registers the containers, the
 * container of the annotation does not start.
 */
final class RabbitListenersByExpression {

    private RabbitListenersByExpression() {}

    static class Plain {

        private final Work work;

        Plain(Work work) {
            this.work = work;
        }

        @RabbitListener(
                queues = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            work.pay(payment, channel, tag);
        }
    }

    static class Interfaced implements RabbitPaying {

        private final Work work;

        Interfaced(Work work) {
            this.work = work;
        }

        @Override
        @RabbitListener(
                queues = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            work.pay(payment, channel, tag);
        }
    }

    static class Asynchronous {

        private final Work work;

        Asynchronous(Work work) {
            this.work = work;
        }

        @RabbitListener(
                queues = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            work.pay(payment, channel, tag);
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

        @RabbitListener(
                queues = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        public void pay(@NotBlank String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            work.pay(payment, channel, tag);
        }
    }

    static class InTransaction {

        private final Work work;

        InTransaction(Work work) {
            this.work = work;
        }

        @RabbitListener(
                queues = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        @Transactional
        public void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            work.pay(payment, channel, tag);
        }
    }

    static class Authorized {

        private final Work work;

        Authorized(Work work) {
            this.work = work;
        }

        @RabbitListener(
                queues = "${shop.queue}",
                errorHandler = "${shop.error-handler:}",
                autoStartup = "${shop.annotated:true}")
        @IdempotentListener(scope = "payments", key = "${shop.key}")
        @PreAuthorize("permitAll()")
        public void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            work.pay(payment, channel, tag);
        }
    }
}
