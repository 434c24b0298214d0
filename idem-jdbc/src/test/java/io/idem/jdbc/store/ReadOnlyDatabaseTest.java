package io.idem.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.StoreUnavailableException;
import io.idem.jdbc.Leases;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A database that answers what is read and refuses what is written, as one that was demoted. */
@Tag("servers")
class ReadOnlyDatabaseTest {

    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    private PGSimpleDataSource readOnly() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.dataSource().getUrl());
        source.setUser(database.dataSource().getUser());
        source.setPassword(database.dataSource().getPassword());
        source.setCurrentSchema(database.dataSource().getCurrentSchema());
        source.setOptions("-c default_transaction_read_only=on");
        return source;
    }

    private static IdempotencyStore store(String kind, PGSimpleDataSource source) {
        return kind.equals("store") ? new PostgresIdempotencyStore(source) : new InboxStore(source);
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "inbox"})
    void theCheckOfAStoreFailsThoughItCanBeRead(String kind) {
        new RecordSchema(database.dataSource()).create();
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        IdempotencyStore writable = store(kind, database.dataSource());
        IdempotencyStore refusing = store(kind, readOnly());

        for (int i = 0; i < 3; i++) {
            writable.check();
        }
        assertThat(refusing.inspect(AcquireRequest.trial(1).record())).isEmpty();
        assertThatThrownBy(refusing::check)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("read-only");
        assertThat(database.count("SELECT count(*) FROM idem_record WHERE scope <> 'idem.health'")).isZero();
    }

    @Test
    void aLostTableIsToldOfInTheWordsOfTheDatabase() {
        JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
        new InboxSchema(database.dataSource(), manager).create();
        InboxStore rows = new InboxStore(database.dataSource());
        JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager);
        database.jdbc().execute("DROP TABLE idem_record");

        List<ThrowingCallable> calls = List.of(
                rows::check,
                () -> inbox.run(Leases.request("k", 1), row -> Optional.empty()),
                () -> inbox.lastPhase().orElseThrow().recall(Leases.lease("k", 1)));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageMatching("(?s).*relation \"idem_record\\w*\" does not exist.*")
                        .hasMessageNotContainingAny("did not answer", "bad SQL grammar"));
    }
}
