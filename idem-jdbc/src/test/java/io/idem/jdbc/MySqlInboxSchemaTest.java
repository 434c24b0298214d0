package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.jdbc.inbox.InboxSchema;
import io.idem.servers.junit.RequiresMySql;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

@Tag("extended")
@RequiresMySql
class MySqlInboxSchemaTest {

    private static final String ASCII = " CHARACTER SET ascii COLLATE ascii_bin NOT NULL";
    private static final String REST = ", state tinyint NOT NULL, attempts int NOT NULL, grant_kind tinyint NOT NULL,"
            + " fence bigint NOT NULL, owner varbinary(12) NULL, fingerprint varbinary(16) NULL, at datetime(6) NOT NULL,"
            + " expires_at datetime(6) NOT NULL, result_codec varchar(32) NULL, reason text NULL, steps json NULL,"
            + " outgoing longblob NULL, relay_at datetime(6) NULL";
    private static final String EXACT = "key_id varchar(22)" + ASCII + ", scope varchar(64)" + ASCII + REST
            + ", result longblob NULL";
    private static final String KEY = ", PRIMARY KEY (key_id, scope)";

    private final InboxDatabase database = new MySqlInboxContractTest().open();
    private final InboxSchema schema =
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource()));

    @AfterEach
    void close() {
        database.close();
    }

    private void handMade(String columns) {
        database.jdbc().execute("CREATE TABLE idem_record (" + columns);
    }

    private int rows() {
        return database.jdbc()
                .queryForList("SELECT key_id FROM idem_record", String.class)
                .size();
    }

    @Test
    void aTableThatWasCreatedPassesTheCheckWhichLeavesNothing() {
        schema.create();

        schema.check();

        assertThat(rows()).isZero();
    }

    @Test
    void instancesThatStartTogetherDoNotHurtEachOther() throws Exception {
        Callable<Boolean> start = () -> {
            schema.create();
            schema.checkAsStore();
            return true;
        };

        ExecutorService instances = Executors.newFixedThreadPool(4);
        try {
            for (Future<Boolean> instance : instances.invokeAll(Collections.nCopies(16, start))) {
                assertThat(instance.get()).isTrue();
            }
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void aTableByHandPassesTheCheck() {
        handMade(EXACT + KEY + ") ENGINE = InnoDB");

        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @Test
    void anEngineWithoutTransactionsIsRefusedAndNoRowStays() {
        handMade(EXACT + KEY + ") ENGINE = MyISAM");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("idem_record")
                .hasMessageContaining("InnoDB");
        assertThat(rows()).isZero();
    }

    @Test
    void aTableWithoutPrimaryKeyIsRefused() {
        handMade(EXACT + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void aWiderPrimaryKeyIsRefused() {
        handMade(EXACT + ", PRIMARY KEY (key_id, scope, fence)) ENGINE = InnoDB");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aCollationThatIgnoresTheCaseIsRefused() {
        handMade("key_id varchar(22) NOT NULL, scope varchar(64) NOT NULL" + REST
                + ", result longblob NULL" + KEY
                + ") ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aColumnThatCutsKeysIsRefused() {
        handMade("key_id varchar(20)" + ASCII + ", scope varchar(64)" + ASCII + REST
                + ", result longblob NULL" + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }

    @Test
    void aColumnThatCutsFencesIsRefused() {
        handMade(EXACT.replace("fence bigint", "fence int") + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("'fence'");
    }

    @Test
    void aColumnThatCutsResultsIsRefused() {
        handMade("key_id varchar(22)" + ASCII + ", scope varchar(64)" + ASCII + REST
                + ", result blob NULL" + KEY + ") ENGINE = InnoDB");

        assertThatThrownBy(schema::check).isInstanceOf(InboxSchemaException.class);
    }
}
