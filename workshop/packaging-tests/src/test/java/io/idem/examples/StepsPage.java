package io.idem.examples;

import io.idem.IdempotencyContext;
import io.idem.InboxTransaction;
import io.idem.consumer.IdempotentListener;
import io.idem.examples.Shop.Receipt;
import io.idem.step.Step;
import io.idem.step.StepFinding;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import reactor.core.publisher.Mono;

/** docs/steps.md. */
class StepsPage {

    private final Provider provider;
    private final Stock stock;
    private final Mails mails;
    private final Ledger ledger;

    StepsPage(Provider provider, Stock stock, Mails mails, Ledger ledger) {
        this.provider = provider;
        this.stock = stock;
        this.mails = mails;
        this.ledger = ledger;
    }

    @RabbitListener(queues = "orders.paid")
    @IdempotentListener(scope = "shipping", backoff = "1s", maxAttempts = "20")
    void ship(Order order, IdempotencyContext attempt) {
        Receipt receipt = attempt.step("charge", Receipt.class, step -> provider.charge(step.key(), order));
        for (Line line : order.lines()) {
            attempt.step("reserve", line.sku(), Boolean.class, step -> stock.reserve(step.key(), line));
        }
        mails.confirm(order, receipt);
    }

    @RabbitListener(queues = "payments.requested")
    @IdempotentListener(scope = "payments", inbox = true, transaction = InboxTransaction.LAST_PHASE)
    void requested(Order order, IdempotencyContext attempt) {
        Receipt receipt = attempt.step("charge", Receipt.class, step -> provider.charge(step.key(), order));
        attempt.inTransaction(() -> ledger.book(order, receipt));
    }

    Receipt reconciled(Order order, IdempotencyContext attempt) {
        Step<Receipt> charge = Step.of("charge", Receipt.class)
                .reconciledBy(
                        step -> provider.find(step.key()).map(StepFinding::done).orElseGet(StepFinding::notDone));
        Receipt receipt = attempt.step(charge, step -> provider.charge(step.key(), order));
        return receipt;
    }

    Mono<Receipt> later(Order order, IdempotencyContext attempt) {
        Mono<Receipt> receipt = Mono.fromCompletionStage(() ->
                attempt.stepAsync(Step.of("charge", Receipt.class), step -> provider.chargeLater(step.key(), order)));
        return receipt;
    }

    record Order(String id, List<Line> lines) {}

    record Line(String sku, int pieces) {}

    interface Provider {

        Receipt charge(String key, Order order);

        Optional<Receipt> find(String key);

        CompletionStage<Receipt> chargeLater(String key, Order order);
    }

    interface Stock {

        Boolean reserve(String key, Line line);
    }

    interface Ledger {

        long book(Order order, Receipt receipt);
    }

    interface Mails {

        void confirm(Order order, Receipt receipt);
    }
}
