package io.idem.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("servers")
class RecordCleanerTest {

    private final TestDatabase database = new TestDatabase();
    private final RecordCleaner cleaner = new RecordCleaner(database.dataSource());

    @BeforeEach
    void createTable() {
        new RecordSchema(database.dataSource()).create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void rowsThatHaveExpiredGoAndTheOthersStay() {
        insert("old", 3, "1 minute");
        insert("young", 2, "-1 minute");

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
    void rowsWhoseMessagesAreStillToBeSentStay() {
        insert("old", 3, "61 minutes");
        database.jdbc().update("UPDATE idem_record SET relay_at = now() WHERE key_id = 'old1'");

        assertThat(cleaner.clean()).isEqualTo(2);
        assertThat(database.inboxRows()).isOne();
    }

    @Test
    void aRowThatAnotherTransactionHasLockedIsLeftToTheNextPass() throws SQLException {
        insert("old", 3, "61 minutes");
        try (Connection other = database.dataSource().getConnection();
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("SELECT 1 FROM idem_record WHERE key_id = 'old1' FOR UPDATE");

            assertThat(cleaner.clean()).isEqualTo(2);
            other.rollback();
        }
        assertThat(cleaner.clean()).isOne();
    }

    private void insert(String prefix, int count, String age) {
        database.jdbc()
                .update(
                        "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence, at, expires_at)"
                                + " SELECT ? || n, 's', 2, 1, 0, n, now(), now() - ?::interval FROM generate_series(1, ?) n",
                        prefix,
                        age,
                        count);
    }
}
