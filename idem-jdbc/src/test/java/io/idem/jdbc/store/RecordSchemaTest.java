package io.idem.jdbc.store;

import static io.idem.jdbc.Leases.lease;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

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
            + " state smallint, attempts integer, grant_kind smallint, fence bigint, owner bytea, fingerprint bytea,"
            + " at timestamptz, expires_at timestamptz, result_codec varchar(32), result bytea, reason text, steps jsonb,"
            + " outgoing bytea, relay_at timestamptz";

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

    /** Updates of other columns can stay on their page and touch no index. */
    @Test
    void onlyTheKeyAndTheMomentOfTheRelayHaveIndexes() {
        schema.create();

        assertThat(database.jdbc()
                        .queryForList(
                                "SELECT substring(indexdef FROM '\\(.*') FROM pg_indexes WHERE tablename = 'idem_record'"
                                        + " AND schemaname = current_schema()",
                                String.class))
                .containsExactlyInAnyOrder("(key_id, scope)", "(scope, relay_at) WHERE (relay_at IS NOT NULL)");
    }

    @Test
    void aStoreBesideRowsOfAnEarlierVersionIsRefused() {
        schema.create();
        database.jdbc().execute("CREATE TABLE idem_inbox (key_id text)");
        database.jdbc().update("INSERT INTO idem_inbox VALUES ('k')");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("docs/inbox-outbox.md");
        assertThatCode(schema.forgettingOldRows()::check).doesNotThrowAnyException();
    }
}
