package io.idem.examples;

import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outbox;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.ResultCodec;
import io.idem.Scope;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.examples.Shop.Order;
import io.idem.examples.Shop.PaymentProvider;
import io.idem.examples.Shop.Receipt;
import io.idem.jdbc.inbox.InboxRebuild;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.operations.OperatorAct;
import io.idem.operations.OperatorAct.Action;
import io.idem.operations.RecordOperator;
import io.idem.spi.OutgoingTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** docs/async.md, docs/dead-letters.md, docs/inbox-outbox.md, docs/operations.md and docs/postgresql.md: what needs no Spring. */
class EnginePages {

    static CompletionStage<Outcome<Receipt>> later(
            AsyncIdempotentExecutor async,
            Operation operation,
            PaymentProvider provider,
            Order order,
            ResultCodec codec) {
        CompletionStage<Outcome<Receipt>> outcome = async.execute(
                operation,
                context -> provider.charge(order, context.key().value()) // a CompletionStage
                        .thenApply(receipt -> new WorkResult.Complete<>(receipt, codec.encode(receipt))));
        return outcome;
    }

    static void reopen(RecordOperator operator, String tenant, String key) {
        RecordId record = new RecordId(new IdempotencyKey(tenant, key), new Scope("payments"));
        operator.act(Action.REOPEN, record, "anna", "the account is open again");
    }

    static List<OperatorAct> erase(RecordOperator operator, String tenant, String key) {
        IdempotencyKey erased = new IdempotencyKey(tenant, key);
        List<OperatorAct> acts = operator.act(Action.ERASE, erased, "anna", "the customer asked for it");
        return acts;
    }

    static InboxRebuild.Result rebuild(InboxRebuild rebuild) {
        InboxRebuild.Result result = rebuild.run(); // rows, and how many of them Redis did not know
        return result;
    }

    static <T> void outbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            List<OutgoingTransport> transports,
            IdempotentExecutor executor,
            Operation operation,
            Scope scope,
            Work<T> work)
            throws Exception {
        OutboxRelay relay = new OutboxRelay(dataSource, () -> transports, OutboxRelay.DEFAULT_AFTER);
        Outbox outbox = new JdbcOutbox(dataSource, transactionManager, relay);
        relay.start(Duration.ofSeconds(5));
        executor.execute(operation.withInbox(outbox.inbox(scope)), work);
    }

    @Bean(defaultCandidate = false)
    DataSource idemDataSource() {
        return DataSourceBuilder.create().url("jdbc:postgresql:idem").build();
    }
}
