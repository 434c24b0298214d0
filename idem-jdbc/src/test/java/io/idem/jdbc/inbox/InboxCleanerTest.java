package io.idem.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.jdbc.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

@Tag("servers")
class InboxCleanerTest {

    private final TestDatabase database = new TestDatabase();
    private final InboxCleaner cleaner = new InboxCleaner(database.dataSource(), Duration.ofHours(1));

    @BeforeEach
    void createTable() {
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void rowsOlderThanTheRetentionGoAndTheOthersStay() {
        insert("old", 3, "61 minutes");
        insert("young", 2, "59 minutes");

        assertThat(cleaner.clean()).isEqualTo(3);
        assertThat(database.inboxRows()).isEqualTo(2);
    }

    @Test
    void moreThanOneBatchIsDeletedInOneGo() {
        insert("old", 2_500, "2 hours");

        assertThat(cleaner.clean()).isEqualTo(2_500);
        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aTableThatCannotBeCleanedHoldsUpNoOther() {
        insert("old", 1, "2 hours");
        database.jdbc()
                .update("INSERT INTO idem_inbox_attempt (key_id, scope, fence, touched_at)"
                        + " VALUES ('k', 's', 1, now() - interval '2 hours')");
        database.jdbc()
                .execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'refused by a test'; END $$");
        database.jdbc()
                .execute("CREATE TRIGGER refuse BEFORE DELETE ON idem_inbox FOR EACH ROW EXECUTE FUNCTION refuse()");

        assertThatThrownBy(cleaner::clean).hasMessageContaining("refused by a test");

        assertThat(database.count("SELECT count(*) FROM idem_inbox_attempt")).isZero();
    }

    @Test
    void theFailuresOfSeveralTablesAreAllTold() {
        database.jdbc()
                .execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'refused for %', TG_TABLE_NAME; END $$");
        for (String table : List.of("idem_inbox", "idem_inbox_attempt")) {
            database.jdbc()
                    .execute("CREATE TRIGGER refuse BEFORE DELETE ON " + table
                            + " FOR EACH STATEMENT EXECUTE FUNCTION refuse()");
        }

        assertThatThrownBy(cleaner::clean)
                .hasMessageContaining("refused for idem_inbox")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .satisfies(next -> assertThat(next).hasMessageContaining("refused for idem_inbox_attempt")));
    }

    @Test
    void aRetentionThatWouldDeleteEverythingIsRefused() {
        assertThatThrownBy(() -> new InboxCleaner(database.dataSource(), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("retention PT0S");
    }

    private void insert(String prefix, int count, String age) {
        database.jdbc()
                .update(
                        "INSERT INTO idem_inbox (key_id, scope, fence, claimed_at)"
                                + " SELECT ? || n, 's', n, now() - ?::interval FROM generate_series(1, ?) n",
                        prefix,
                        age,
                        count);
    }
}
