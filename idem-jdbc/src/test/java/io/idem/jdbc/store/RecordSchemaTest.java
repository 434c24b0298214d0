package io.idem.jdbc.store;

import static io.idem.jdbc.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.jdbc.InboxSchemaException;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.TransactionPooling;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("servers")
@ExtendWith(OutputCaptureExtension.class)
class RecordSchemaTest {

    private static final String COLUMNS = "CREATE TABLE idem_record (key_id varchar(22), scope varchar(64),"
            + " state smallint, attempts integer, grant_kind smallint, fence bigint, fingerprint bytea, owner bytea,"
            + " at timestamptz, expires_at timestamptz, clean_at timestamptz, result_codec varchar(32) DEFAULT '',"
            + " result bytea DEFAULT '', reason text DEFAULT '', steps jsonb DEFAULT '{}'";

    private final TestDatabase database = new TestDatabase();
    private final RecordSchema schema = new RecordSchema(database.dataSource());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void tablesThatWereCreatedPassTheCheckWhichLeavesNothing() {
        schema.create();
        schema.create();

        schema.check();

        assertThat(database.count("SELECT count(*) FROM idem_record")).isZero();
    }

    @Test
    void startsBehindATransactionPoolLeaveNoLockAndDoNotWaitForEachOther() throws Exception {
        try (TransactionPooling pooled = new TransactionPooling(database.dataSource(), 3)) {
            RecordSchema behind = new RecordSchema(pooled);
            assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
                for (int start = 0; start < 4; start++) {
                    behind.create();
                }
            });

            assertThat(database.count(
                            "SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                                    + " WHERE l.locktype = 'advisory' AND a.application_name = ?",
                            database.dataSource().getApplicationName()))
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"idem_record", "idem_scope"})
    void anUnloggedTableIsRefused(String table) {
        schema.create();
        database.jdbc().execute("ALTER TABLE " + table + " SET UNLOGGED");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("ALTER TABLE " + table + " SET LOGGED");
    }

    @Test
    void aDatabaseThatConfirmsCommitsTooEarlyIsAWarning(CapturedOutput log) {
        schema.create();
        schema.check();
        assertThat(log).doesNotContain("synchronous_commit=off");

        database.dataSource().setOptions("-c synchronous_commit=off");
        schema.check();

        assertThat(log).contains("synchronous_commit=off");
    }

    @Test
    void aPrimaryKeyOfAnotherNameWillDo() {
        handMade(", CONSTRAINT my_own_name PRIMARY KEY (key_id, scope))");

        assertThatCode(schema::check).doesNotThrowAnyException();
        Lease lease = granted("k");
        new PostgresIdempotencyStore(database.dataSource()).complete(lease, StoredResult.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ")",
                ", PRIMARY KEY (key_id))",
                ", PRIMARY KEY (key_id, scope, fence))",
                ", PRIMARY KEY (key_id, scope), CHECK (length(scope) < 20))"
            })
    void aTableThatWouldNotKeepAttemptsApartIsRefused(String rest) {
        handMade(rest);

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_record");
    }

    @Test
    void aWarningThatIsNotAboutAStandbyDoesNotMakeAWriteUnknown() {
        schema.create();
        database.jdbc()
                .execute("CREATE FUNCTION warned() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE WARNING 'audited'; RETURN NEW; END $$");
        database.jdbc()
                .execute("CREATE TRIGGER warned BEFORE INSERT OR UPDATE ON idem_record"
                        + " FOR EACH ROW EXECUTE FUNCTION warned()");

        Lease lease = granted("k");

        assertThat(new PostgresIdempotencyStore(database.dataSource()).complete(lease, StoredResult.NONE))
                .isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void tablesThatAreUpToDateAreNotTouched() {
        asUserWhoMayWrite(() -> assertThatCode(schema::create).doesNotThrowAnyException());

        database.jdbc().execute("ALTER TABLE idem_record DROP COLUMN steps");
        schema.create();
        schema.check();
    }

    @Test
    void aUserWhoMayNotReadTheScopesIsRefused() {
        asUserWhoMayWrite(() -> assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("permission denied"));
    }

    private void asUserWhoMayWrite(Runnable check) {
        schema.create();
        String user = "u_" + database.dataSource().getCurrentSchema();
        database.jdbc().execute("CREATE ROLE " + user);
        database.jdbc().execute("GRANT USAGE ON SCHEMA " + database.dataSource().getCurrentSchema() + " TO " + user);
        database.jdbc().execute("GRANT SELECT, INSERT, UPDATE, DELETE ON idem_record TO " + user);
        database.jdbc().execute("GRANT INSERT ON idem_scope TO " + user);
        database.dataSource().setOptions("-c role=" + user);
        try {
            check.run();
        } finally {
            database.dataSource().setOptions("");
            database.jdbc().execute("DROP OWNED BY " + user);
            database.jdbc().execute("DROP ROLE " + user);
        }
    }

    private void handMade(String rest) {
        database.jdbc().execute(COLUMNS + rest);
        database.jdbc().execute("CREATE TABLE idem_scope (name varchar(64) PRIMARY KEY)");
    }

    private Lease granted(String key) {
        return granted(new PostgresIdempotencyStore(database.dataSource()), key);
    }

    private static Lease granted(PostgresIdempotencyStore store, String key) {
        Claim claim = store.acquire(new AcquireRequest(
                lease(key, 1).record(),
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(30),
                Duration.ofHours(24),
                Fingerprint.NONE,
                0,
                0));
        return ((Claim.Granted) claim).lease();
    }

    @Test
    void tablesOfTheFirstVersionAreMigratedAndTheirExpiredRowsAreCleaned() {
        database.jdbc()
                .execute("CREATE TABLE idem_record (key_id varchar(22) COLLATE \"C\" NOT NULL,"
                        + " scope varchar(64) COLLATE \"C\" NOT NULL, state smallint NOT NULL, attempts integer NOT NULL,"
                        + " grant_kind smallint NOT NULL, fence bigint NOT NULL, fingerprint bytea NOT NULL,"
                        + " owner bytea NOT NULL, at timestamptz NOT NULL, expires_at timestamptz NOT NULL,"
                        + " result_codec varchar(32) NOT NULL DEFAULT '', result bytea NOT NULL DEFAULT '',"
                        + " reason text NOT NULL DEFAULT '', CONSTRAINT idem_record_pkey PRIMARY KEY (key_id, scope))");
        database.jdbc().execute("CREATE INDEX idem_record_expires_at ON idem_record (expires_at)");
        database.jdbc()
                .update(
                        "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, fingerprint, owner,"
                                + " at, expires_at) SELECT 'k' || n, 's', 2, 1, 0, n, '', '', now(),"
                                + " now() + CASE WHEN n % 2 = 0 THEN interval '1 day' ELSE interval '-1 second' END"
                                + " FROM generate_series(1, 3000) n");

        schema.create();
        schema.check();

        RecordCleaner cleaner = new RecordCleaner(database.dataSource());
        assertThat(cleaner.clean()).isEqualTo(1_500);
        assertThat(database.count("SELECT count(*) FROM idem_record WHERE clean_at = expires_at"))
                .isEqualTo(1_500);
        assertThat(cleaner.clean()).isZero();
    }

    @Test
    void renewalsAndSettlementsTouchNoIndex() {
        schema.create();
        HikariDataSource pool = database.pool(1);
        PostgresIdempotencyStore store = new PostgresIdempotencyStore(pool);
        StoredResult result = StoredResult.of("json", new byte[300]);
        for (int round = 0; round < 20; round++) {
            List<Lease> underWay = new ArrayList<>();
            for (int key = 0; key < 20; key++) {
                underWay.add(granted(store, "k-" + round + "-" + key));
            }
            underWay.forEach(store::renew);
            underWay.forEach(lease -> store.complete(lease, result));
        }

        // A session reports its counters when it ends.
        pool.close();
        await().atMost(Duration.ofMinutes(3)).until(() -> updates("n_tup_upd") >= 800);
        assertThat(updates("n_tup_hot_upd")).isGreaterThan(640);
    }

    private int updates(String counter) {
        return database.count("SELECT " + counter + " FROM pg_stat_user_tables WHERE relname = 'idem_record'"
                + " AND schemaname = current_schema()");
    }

    @Test
    void cleaningFindsExpiredRecordsByAnIndexAndLeavesTheOthers() {
        schema.create();
        granted("young");
        granted("old");
        database.jdbc()
                .update(
                        "UPDATE idem_record SET at = at - interval '2 days', expires_at = expires_at - interval '2 days',"
                                + " clean_at = clean_at - interval '2 days' WHERE key_id = ?",
                        lease("old", 1).record().key().id());

        assertThat(new RecordCleaner(database.dataSource()).clean()).isOne();
        assertThat(database.count("SELECT count(*) FROM idem_record")).isOne();
        assertThat(database.jdbc()
                        .queryForList(
                                "SELECT indexdef FROM pg_indexes WHERE tablename = 'idem_record'"
                                        + " AND schemaname = current_schema()",
                                String.class))
                .anySatisfy(definition -> assertThat(definition).endsWith("(clean_at)"))
                .noneSatisfy(definition -> assertThat(definition).contains("(expires_at)"));
    }
}
