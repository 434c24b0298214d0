package io.idem.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.jdbc.TestDatabase;
import java.time.Duration;
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
