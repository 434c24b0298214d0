package io.idem.consumer.internal.guard;

import io.idem.AttemptPolicy;
import io.idem.Backoff;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.KeyStrategy;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.ResultCodec;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.WorkResult;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.definition.PolicyExamplesTest;
import io.idem.engine.IdempotentExecutor;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;

/** The examples of docs/policies.md, so that they compile; {@link PolicyExamplesTest} runs them. */
public class PolicyExamples {

    private final PaymentProvider provider;
    private final Orders orders;

    PolicyExamples(PaymentProvider provider, Orders orders) {
        this.provider = provider;
        this.orders = orders;
    }

    public record Payment(String account, int cents) {}

    public record Receipt(String status) {}

    public record Order(String customer, int number) {}

    interface PaymentProvider {

        void charge(Payment payment) throws IOException;

        Receipt payOut(Payment payment);

        Optional<Receipt> find(String key);
    }

    interface Orders {

        void place(String json);
    }

    interface Report {

        void build();

        void cancel();
    }

    @RabbitListener(queues = "payments")
    @IdempotentListener(
            scope = "payments",
            rejectOn = {IllegalArgumentException.class, IOException.class},
            retryOn = ConnectException.class)
    void charge(Payment payment) throws IOException {
        provider.charge(payment);
    }

    @RabbitListener(queues = "payouts")
    @IdempotentListener(
            scope = "payouts",
            inbox = true,
            maxAttempts = "5",
            rejectIf = "#result.status() == 'DECLINED'",
            retryIf = "#result.status() == 'BUSY'")
    Receipt payOut(Payment payment) {
        return provider.payOut(payment);
    }

    @Bean
    Reconciler provider(PaymentProvider provider, ResultCodec codec) {
        return attempt -> {
            Optional<Receipt> receipt = provider.find(attempt.key().value());
            return receipt.map(found -> Reconciliation.done(codec.encode(found)))
                    .orElseGet(Reconciliation::notDone);
        };
    }

    @RabbitListener(queues = "reports")
    @IdempotentListener(scope = "reports", lease = "10s")
    void build(Report report, IdempotencyContext attempt) {
        attempt.onLeaseLost(report::cancel);
        report.build();
        attempt.requireOwner();
    }

    @RabbitListener(queues = "orders")
    @IdempotentListener(
            scope = "orders",
            keyFields = {"/customer/id", "number=/order/number", "day=headers['business-day']"})
    void order(String json) {
        orders.place(json);
    }

    public static IdempotencyKey keyOf(Order order) {
        KeyStrategy<Order> byOrder =
                KeyStrategy.<Order>fields().and("customer", Order::customer).and("number", Order::number);
        IdempotencyKey key = IdempotencyKey.of(byOrder.keyOf(order));
        return key;
    }

    public static Outcome<String> transfer(IdempotentExecutor executor, IdempotencyKey key) throws Exception {
        ExecutionPolicy policy = ExecutionPolicy.defaults()
                .withMaxAttempts(5)
                .withAttempts(AttemptPolicy.DEFAULT
                        .withFailures(FailurePolicy.RETRY_ALL.with(List.of(IllegalArgumentException.class), List.of()))
                        .withBackoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                        .withTakeover(TakeoverPolicy.reject()));
        Outcome<String> outcome = executor.execute(
                Operation.of(key, new Scope("transfers"), policy),
                attempt -> new WorkResult.Complete<>("sent", StoredResult.NONE));
        return outcome;
    }
}
