package io.idem.test.steps;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.RecordId;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.test.jdbc.ReusedConnections;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Where work keeps its records and steps, and its ledger if it has an inbox. The transaction of that is the last phase of the
 * work. Thread-safe.
 */
record Workplace(IdempotencyStore store, Optional<Local> local) {

    /** More than there are transactions in which work is stopped at the same time. */
    private static final int CONNECTIONS = 60;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** An inbox and the ledger in its database, which has no unique constraint. */
    record Local(Inbox inbox, JdbcTemplate ledger) {}

    /** Connects to the place of an address; see {@link StepServer#address()}. */
    static Workplace at(String address) {
        List<String> words = List.of(address.split(" ", -1));
        List<String> rest = words.subList(1, words.size());
        return switch (StepServer.Kind.valueOf(words.get(0))) {
            case REDIS -> new Workplace(redis(rest.get(0)), Optional.empty());
            case POSTGRES ->
                new Workplace(new PostgresIdempotencyStore(new ReusedConnections(postgres(rest))), Optional.empty());
            case REDIS_AND_INBOX -> withInbox(redis(rest.get(0)), connections(rest.subList(1, rest.size())));
            case INBOX_ALONE -> inboxAlone(connections(rest));
        };
    }

    private static IdempotencyStore redis(String uri) {
        return new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(uri)));
    }

    private static PGSimpleDataSource postgres(List<String> words) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(words.get(0));
        source.setUser(words.get(1));
        source.setPassword(words.get(2));
        source.setCurrentSchema(words.get(3));
        return source;
    }

    private static DataSource connections(List<String> words) {
        return new ReusedConnections(postgres(words), CONNECTIONS, PATIENCE);
    }

    static Workplace withInbox(IdempotencyStore store, DataSource database) {
        return new Workplace(store, Optional.of(new Local(inbox(database), new JdbcTemplate(database))));
    }

    static Workplace inboxAlone(DataSource database) {
        InboxStore rows = new InboxStore(database);
        Inbox inbox = inbox(database).asStore(rows);
        return new Workplace(rows, Optional.of(new Local(inbox, new JdbcTemplate(database))));
    }

    private static JdbcInbox inbox(DataSource database) {
        return new JdbcInbox(database, new JdbcTransactionManager(database));
    }

    /** Returns this place, where every answer about steps and records is reported to the work. */
    Workplace reporting(Map<RecordId, StoppableWork> works) {
        return new Workplace(
                new ReportingStore(store, works),
                local.map(known -> new Local(new ReportingInbox(known.inbox(), works), known.ledger())));
    }

    IdempotentExecutor executor() {
        IdempotentExecutor.Builder executor = IdempotentExecutor.on(store);
        return local.map(known -> executor.inbox(known.inbox()))
                .orElse(executor)
                .build();
    }

    /** Returns a policy with which the work holds no transaction during its steps. */
    ExecutionPolicy policy(ExecutionPolicy policy) {
        return local.isPresent()
                ? policy.withAttempts(policy.attempts().withTransaction(InboxTransaction.LAST_PHASE))
                : policy;
    }

    /** Writes to the ledger in the transaction of the attempt, if there is an inbox, and runs a task in it. */
    void book(IdempotencyContext attempt, String key, String entry, Runnable within) {
        local.ifPresent(known -> {
            int unused = attempt.<Integer, RuntimeException>inTransaction(() -> {
                int rows = known.ledger().update("INSERT INTO ledger VALUES (?, ?)", key, entry);
                within.run();
                return rows;
            });
        });
    }
}
