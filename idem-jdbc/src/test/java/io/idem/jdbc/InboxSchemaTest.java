package io.idem.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;

class InboxSchemaTest {

    private final TestDatabase database = new TestDatabase();
    private final InboxSchema schema =
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource()));

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aTableThatWasCreatedPassesTheCheck() {
        schema.create();

        assertThatCode(schema::check).doesNotThrowAnyException();
    }

    @Test
    void instancesThatStartTogetherDoNotHurtEachOther() throws Exception {
        ExecutorService instances = Executors.newFixedThreadPool(8);
        try {
            Callable<Boolean> start = () -> {
                schema.create();
                return true;
            };
            for (Future<Boolean> instance : instances.invokeAll(Collections.nCopies(16, start))) {
                assertThat(instance.get()).isTrue();
            }
        } finally {
            instances.shutdownNow();
        }
    }

    @Test
    void creatingAgainKeepsTheRows() {
        schema.create();
        database.jdbc().update("INSERT INTO idem_inbox (key_id, scope, fence) VALUES ('k', 's', 1)");

        schema.create();

        assertThat(database.inboxRows()).isEqualTo(1);
    }

    @Test
    void aTableOfTheFirstVersionIsBroughtUpToDateWithItsRows() {
        database.jdbc().execute((ConnectionCallback<Boolean>) connection -> {
            ScriptUtils.executeSqlScript(
                    connection, new ClassPathResource(schema.scripts().get(0)));
            return true;
        });
        database.jdbc().update("INSERT INTO idem_inbox (key_id, scope, fence) VALUES ('k', 's', 1)");
        assertThatThrownBy(schema::check).hasMessageContaining("owner");

        schema.create();

        assertThatCode(schema::check).doesNotThrowAnyException();
        assertThat(database.inboxRows()).isEqualTo(1);
    }

    @Test
    void aMissingTableIsNamed() {
        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("relation \"idem_inbox\" does not exist");
    }

    @Test
    void aTableOfAnotherShapeIsNamed() {
        database.jdbc().execute("CREATE TABLE idem_inbox (key_id text, scope text, fence bigint)");

        assertThatThrownBy(schema::check)
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("column \"owner\" does not exist");
    }

    @Test
    void cleanUpFindsOldRowsByAnIndex() {
        schema.create();

        assertThat(database.jdbc()
                        .queryForList(
                                "SELECT indexdef FROM pg_indexes WHERE tablename = 'idem_inbox'"
                                        + " AND schemaname = current_schema()",
                                String.class))
                .anySatisfy(definition -> assertThat(definition).endsWith("(claimed_at)"));
    }
}
