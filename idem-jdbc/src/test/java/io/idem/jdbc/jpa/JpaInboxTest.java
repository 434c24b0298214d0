package io.idem.jdbc.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Outcome;
import io.idem.RefusedWorkException;
import io.idem.jdbc.InboxSchemaException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The inbox with Hibernate's entity managers, as applications with JPA use them. */
@Tag("servers")
class JpaInboxTest {

    private static final Map<String, ?> LATE_CONNECTION =
            Map.of("hibernate.connection.provider_disables_autocommit", true);

    private static final String ONE_MORE = "UPDATE entry SET amount = amount + 1 WHERE name = 'a'";

    private JpaApplication application = new JpaApplication(true, Map.of());

    @AfterEach
    void close() {
        application.close();
    }

    private void restart(boolean autoCommit, Map<String, ?> hibernate) {
        application.close();
        application = new JpaApplication(autoCommit, hibernate);
    }

    @Test
    void entitiesFlushedAtTheCommitAndTheRowAreCommittedTogether() throws Exception {
        application.schema().create();

        Outcome<String> first = application.execute("k", () -> persist("a", 5));
        Outcome<String> second = application.execute("k", () -> persist("a", 5));

        assertThat(first).isInstanceOf(Outcome.Executed.class);
        assertThat(second).isInstanceOf(Outcome.Replayed.class);
        assertThat(application.amount("a")).isEqualTo(5);
        assertThat(application.inboxRows()).isOne();
    }

    @Test
    void aFlushThatFailsAtTheCommitLeavesNoRowAndTheNextAttemptWorks() throws Exception {
        application.schema().create();

        assertThatThrownBy(() -> application.execute("k", () -> persist("a", -1)))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(application.inboxRows()).isZero();

        assertThat(application.execute("k", () -> persist("a", 7))).isInstanceOf(Outcome.Executed.class);
        assertThat(application.amount("a")).isEqualTo(7);
    }

    @Test
    void aTransactionThatEndsInTheLastFlushIsNotTakenForCommitted() throws Exception {
        application.schema().create();
        JdbcTemplate jdbc = new JdbcTemplate(application.pool());

        assertThatThrownBy(() -> application.execute(
                        "k",
                        () -> application
                                .entities()
                                .persist(new Entry("a", 5).onInsertion(() -> jdbc.execute("ROLLBACK")))))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(application.inboxRows()).isZero();

        assertThat(application.execute("k", () -> persist("a", 7))).isInstanceOf(Outcome.Executed.class);
        assertThat(application.amount("a")).isEqualTo(7);
    }

    @Test
    void statementsPastJpaAreInTheTransactionOfTheEntities() throws Exception {
        application.schema().create();

        assertThatThrownBy(() -> application.execute("k", () -> {
                    changeTwicePastJpa();
                    throw new IllegalStateException("to be rolled back");
                }))
                .hasMessage("to be rolled back");
        assertThat(application.amount("a")).isZero();

        application.execute("k", this::changeTwicePastJpa);
        assertThat(application.amount("a")).isEqualTo(3);
    }

    /** Changes a new entity as JdbcTemplate does, and as jOOQ and MyBatis do, which get their connections from a proxy. */
    private void changeTwicePastJpa() {
        persist("a", 1);
        application.entities().flush();
        int first = new JdbcTemplate(application.pool()).update(ONE_MORE);
        try (Connection connection = new TransactionAwareDataSourceProxy(application.pool()).getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(first + statement.executeUpdate(ONE_MORE)).isEqualTo(2);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Hibernate's dialect has no savepoints. */
    @Test
    void aNestedTransactionFailsTheWorkAndNothingRemains() {
        application.schema().create();

        assertThatThrownBy(() -> application.execute("k", () -> {
                    persist("a", 1);
                    application.entities().flush();
                    application
                            .transaction(TransactionDefinition.PROPAGATION_NESTED)
                            .executeWithoutResult(status -> persist("b", 1));
                }))
                .isInstanceOf(NestedTransactionNotSupportedException.class);

        assertThat(application.amount("a")).isZero();
        assertThat(application.inboxRows()).isZero();
    }

    @Test
    void aTransactionThatWouldCommitApartIsRefusedAndNothingRemains() {
        application.schema().create();

        assertThatThrownBy(() -> application.execute("k", () -> {
                    persist("a", 1);
                    application
                            .transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                            .executeWithoutResult(status -> persist("b", 1));
                }))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("REQUIRES_NEW");

        assertThat(application.amount("a")).isZero();
        assertThat(application.amount("b")).isZero();
        assertThat(application.inboxRows()).isZero();
    }

    @Test
    void connectionsThatDoNotCommitByThemselvesServeBothWaysOfHibernate() throws Exception {
        for (Map<String, ?> hibernate : List.of(Map.<String, Object>of(), LATE_CONNECTION)) {
            restart(false, hibernate);
            application.schema().create();
            application.schema().check();

            assertThatThrownBy(() -> application.execute("k", () -> persist("a", -1)))
                    .isInstanceOf(DataIntegrityViolationException.class);
            assertThat(application.inboxRows()).isZero();
            application.execute("k", () -> persist("a", 2));

            assertThat(application.amount("a")).isEqualTo(2);
            assertThat(application.inboxRows()).isOne();
        }
    }

    /** Hibernate then leaves it to the pool to end auto-commit, and each statement would be a transaction. */
    @Test
    void connectionsThatCommitAgainstTheWordOfHibernateAreRefused() {
        restart(true, LATE_CONNECTION);
        application.schema().create();

        assertThatThrownBy(() -> application.schema().check())
                .isInstanceOf(InboxSchemaException.class)
                .hasMessageContaining("connections whose auto-commit is off");
    }

    /** The entity manager that a web request has open before and after the work. */
    @Nested
    class InAnOpenView {

        private final EntityManager view = application.factory().createEntityManager();

        private void open() {
            TransactionSynchronizationManager.bindResource(application.factory(), new EntityManagerHolder(view));
        }

        @AfterEach
        void closeView() {
            TransactionSynchronizationManager.unbindResourceIfPossible(application.factory());
            view.close();
        }

        @Test
        void workAndRowAreCommittedTogether() throws Exception {
            application.schema().create();
            application.execute("before", () -> persist("a", 1));
            open();
            Entry read = Objects.requireNonNull(view.find(Entry.class, "a"));

            application.execute(
                    "k", () -> application.entities().find(Entry.class, "a").add(4));

            assertThat(read.amount()).isEqualTo(5);
            assertThat(application.amount("a")).isEqualTo(5);
            assertThat(application.inboxRows()).isEqualTo(2);
        }

        @Test
        void whatTheViewChangedBeforeTheWorkFailsWithIt() {
            application.schema().create();
            open();
            view.persist(new Entry("a", 1));

            assertThatThrownBy(() -> application.execute("k", () -> {
                        throw new PersistenceException("the work fails");
                    }))
                    .hasMessageContaining("the work fails");

            assertThat(application.amount("a")).isZero();
            assertThat(application.inboxRows()).isZero();
        }
    }

    private void persist(String name, int amount) {
        application.entities().persist(new Entry(name, amount));
    }
}
