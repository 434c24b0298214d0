package io.idem.applications.kafka.asyncannotation;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;

/** An application with an asynchronous class, marked by the application's own annotation. */
@SpringBootApplication
public class OwnAsyncAnnotation {

    @Component
    @InBackground
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @KafkaListener(topics = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        public void pay(String payment) {
            ledger.pay(payment);
        }
    }

    /** The application's own annotation for asynchronous methods. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface InBackground {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(annotation = InBackground.class)
    static class Asynchrony {}
}
