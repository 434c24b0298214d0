package io.idem.examples;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.examples.Shop.Payment;
import io.idem.examples.Shop.PaymentProvider;
import io.idem.examples.Shop.Receipt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AliasFor;
import org.springframework.kafka.annotation.KafkaListener;
import reactor.core.publisher.Mono;

/** docs/listeners.md, docs/inbox-outbox.md and docs/async.md. */
class ListenersPage {

    static class Plain {

        private final PaymentProvider provider;

        Plain(PaymentProvider provider) {
            this.provider = provider;
        }

        @RabbitListener(queues = "payments") // or @KafkaListener(topics = "payments")
        @IdempotentListener(scope = "payments")
        void pay(Payment payment) {
            provider.charge(payment);
        }
    }

    static class OfCloudStream {

        @Bean
        @IdempotentListener(scope = "payments")
        Consumer<Payment> pay(PaymentProvider provider) {
            return payment -> provider.charge(payment);
        }
    }

    static class WithInbox {

        private final PaymentProvider provider;

        WithInbox(PaymentProvider provider) {
            this.provider = provider;
        }

        @IdempotentListener(scope = "payments", inbox = true)
        void pay(Payment payment) {
            provider.charge(payment);
        }
    }

    static class Late {

        private final PaymentProvider provider;

        Late(PaymentProvider provider) {
            this.provider = provider;
        }

        @RabbitListener(queues = "payments") // or @KafkaListener(topics = "payments")
        @IdempotentListener(scope = "payments")
        CompletableFuture<Receipt> pay(Payment payment, IdempotencyContext context) {
            return CompletableFuture.supplyAsync(() -> provider.charge(payment));
        }
    }

    static class Compared {

        private final PaymentProvider provider;

        Compared(PaymentProvider provider) {
            this.provider = provider;
        }

        @KafkaListener(topics = "payments")
        @IdempotentListener(
                scope = "payments",
                fingerprintFields = {"/amount", "/payee/id"})
        void pay(Payment payment) {
            provider.charge(payment);
        }
    }

    @KafkaListener
    @IdempotentListener(scope = "", maxAttempts = "5")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Participant {

        @AliasFor(annotation = KafkaListener.class, attribute = "topics")
        String[] topics();

        @AliasFor(annotation = IdempotentListener.class, attribute = "scope")
        String scope() default "#{__listener.scope}";
    }

    static class OnAnotherThread {

        private final RabbitTemplate template;
        private final ExecutorService executor;

        OnAnotherThread(RabbitTemplate template, ExecutorService executor) {
            this.template = template;
            this.executor = executor;
        }

        void publish(Object paid) throws Exception {
            IdempotencyContext context = IdempotencyContext.current().orElseThrow();
            executor.submit(() -> context.call(() -> {
                        template.convertAndSend("orders", "paid", paid);
                        return null;
                    }))
                    .get();
        }
    }

    interface Bank {

        CompletableFuture<Receipt> charge(Payment payment);
    }

    interface Quotes {

        Mono<Receipt> read(Payment payment);
    }

    static class QuoteNotReadException extends RuntimeException {

        private static final long serialVersionUID = 1;

        QuoteNotReadException(TimeoutException cause) {
            super(cause);
        }
    }

    static class TimedStages {

        private final Bank bank;
        private final Quotes quotes;

        TimedStages(Bank bank, Quotes quotes) {
            this.bank = bank;
            this.quotes = quotes;
        }

        CompletableFuture<Receipt> pay(Payment payment) {
            return bank.charge(payment).orTimeout(5, TimeUnit.SECONDS);
        }

        Mono<Receipt> quote(Payment payment) {
            return quotes.read(payment)
                    .timeout(Duration.ofSeconds(5))
                    .onErrorMap(TimeoutException.class, QuoteNotReadException::new);
        }
    }
}
