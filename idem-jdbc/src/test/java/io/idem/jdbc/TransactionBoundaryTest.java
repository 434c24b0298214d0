package io.idem.jdbc;

import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.RefusedWorkException;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Work and row stay in one transaction, or the work is refused. */
@Tag("servers")
class TransactionBoundaryTest {

    private static final Effect EFFECT = new Effect(StoredResult.NONE, List.of());

    private final TestDatabase database = new TestDatabase();
    private final JdbcTransactionManager manager = new JdbcTransactionManager(database.dataSource());
    private final JdbcInbox inbox = new JdbcInbox(database.dataSource(), manager);

    @BeforeEach
    void createTable() {
        new InboxSchema(database.dataSource(), manager).create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.PROPAGATION_NOT_SUPPORTED})
    void whatWouldCommitApartFromTheRowIsRefused(int propagation) {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    payWithin(propagation, manager);
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("REQUIRES_NEW");

        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aTransactionOfAnotherManagerIsRefused() {
        PlatformTransactionManager other = new JdbcTransactionManager(new TestDatabase().dataSource());

        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    payWithin(TransactionDefinition.PROPAGATION_REQUIRED, other);
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("another transaction manager");

        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void workThatCatchesTheRefusalGoesOnInTheInboxTransaction() throws Exception {
        InboxOutcome outcome = inbox.run(request("k", 7), mine -> {
            assertThatThrownBy(() -> payWithin(TransactionDefinition.PROPAGATION_REQUIRES_NEW, manager))
                    .isInstanceOf(RefusedWorkException.class);
            database.pay("joined");
            return Optional.of(EFFECT);
        });

        assertThat(outcome).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(database.ledger()).containsExactly("joined");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.PROPAGATION_REQUIRED,
                TransactionDefinition.PROPAGATION_MANDATORY,
                TransactionDefinition.PROPAGATION_SUPPORTS,
                TransactionDefinition.PROPAGATION_NESTED
            })
    void whatJoinsTheTransactionSharesItsFate(int propagation) throws Exception {
        inbox.run(request("k", 7), mine -> {
            payWithin(propagation, manager);
            return Optional.empty();
        });
        assertThat(database.ledger()).isEmpty();

        inbox.run(request("k", 8), mine -> {
            payWithin(propagation, manager);
            return Optional.of(EFFECT);
        });
        assertThat(database.ledger()).containsExactly("inner");
    }

    @Test
    void aCallbackBeforeCommitWithATransactionOfItsOwnRollsEverythingBack() {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    beforeCommit(() -> payWithin(TransactionDefinition.PROPAGATION_REQUIRES_NEW, manager));
                    payWithin(TransactionDefinition.PROPAGATION_REQUIRED, manager);
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("REQUIRES_NEW");

        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aCallbackBeforeCommitThatMarksRollbackOnlyRollsEverythingBack() {
        assertThatThrownBy(() -> inbox.run(request("k", 7), mine -> {
                    beforeCommit(() -> new TransactionTemplate(manager)
                            .executeWithoutResult(TransactionExecution::setRollbackOnly));
                    payWithin(TransactionDefinition.PROPAGATION_REQUIRED, manager);
                    return Optional.of(EFFECT);
                }))
                .isInstanceOf(UnexpectedRollbackException.class)
                .hasMessageContaining("rollback-only");

        assertThat(database.ledger()).isEmpty();
        assertThat(database.inboxRows()).isZero();
    }

    private static void beforeCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                action.run();
            }
        });
    }

    @Test
    void afterTheCommitOtherTransactionsAreFine() throws Exception {
        InboxOutcome outcome = inbox.run(request("k", 7), mine -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    payWithin(TransactionDefinition.PROPAGATION_REQUIRES_NEW, manager);
                }
            });
            return Optional.of(EFFECT);
        });

        assertThat(outcome).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(database.ledger()).containsExactly("inner");
    }

    @Test
    void anOpenTransactionOfTheCallerIsRefused() {
        TransactionTemplate outer = new TransactionTemplate(manager);
        outer.setName("of the container");

        assertThatThrownBy(() -> outer.execute(status -> {
                    try {
                        return inbox.run(request("k", 7), mine -> Optional.of(EFFECT));
                    } catch (RuntimeException refusal) {
                        throw refusal;
                    } catch (Exception impossible) {
                        throw new IllegalStateException(impossible);
                    }
                }))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("inside the open transaction of the container");
    }

    @Test
    void aManagerOfAnotherDataSourceIsRefused() {
        JdbcInbox mixed =
                new JdbcInbox(database.dataSource(), new JdbcTransactionManager(new TestDatabase().dataSource()));

        assertThatThrownBy(() -> mixed.run(request("k", 7), mine -> Optional.of(EFFECT)))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("does not manage connections of the inbox's data source");

        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aManagerThatDoesNotSynchronizeIsRefused() {
        JdbcTransactionManager silent = new JdbcTransactionManager(database.dataSource());
        silent.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

        assertThatThrownBy(() ->
                        new JdbcInbox(database.dataSource(), silent).run(request("k", 7), mine -> Optional.of(EFFECT)))
                .isInstanceOf(RefusedWorkException.class)
                .hasMessageContaining("SYNCHRONIZATION_ALWAYS");

        assertThat(database.inboxRows()).isZero();
    }

    @Test
    void aTransactionAwareProxyStandsForItsDataSource() throws Exception {
        JdbcInbox proxied = new JdbcInbox(new TransactionAwareDataSourceProxy(database.dataSource()), manager);

        InboxOutcome outcome = proxied.run(request("k", 7), mine -> {
            database.pay("a");
            return Optional.of(EFFECT);
        });

        assertThat(outcome).isInstanceOf(InboxOutcome.Committed.class);
        assertThat(database.inboxRows()).isEqualTo(1);
    }

    private void payWithin(int propagation, PlatformTransactionManager with) {
        TransactionTemplate inner = new TransactionTemplate(with);
        inner.setPropagationBehavior(propagation);
        inner.executeWithoutResult(status -> database.pay("inner"));
    }
}
