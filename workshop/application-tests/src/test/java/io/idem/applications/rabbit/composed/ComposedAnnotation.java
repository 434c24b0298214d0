package io.idem.applications.rabbit.composed;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/** An application with its own listener annotation. */
@SpringBootApplication
public class ComposedAnnotation {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @OnQueue(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    /** The application's own annotation for its listeners. */
    @RabbitListener(queues = "${shop.queue}")
    @IdempotentListener(scope = "")
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface OnQueue {

        @AliasFor(annotation = IdempotentListener.class)
        String scope();
    }
}
