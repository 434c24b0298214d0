package io.idem.jdbc.inbox;

import io.idem.IdempotencyContext;
import io.idem.RecordId;
import io.idem.RefusedWorkException;
import io.idem.internal.method.HiddenMembers;
import io.idem.jdbc.SchemaDataSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Opens the transactions that contain both work and row, and refuses those that could not. */
final class InboxTransactions {

    private final DataSource dataSource;
    private final PlatformTransactionManager manager;

    InboxTransactions(DataSource dataSource, PlatformTransactionManager manager) {
        Stream.of(TransactionGuard.class, InboxCommit.First.class, InboxCommit.Last.class)
                .forEach(HiddenMembers::checkOverrides);
        this.dataSource = boundAs(dataSource);
        this.manager = manager;
    }

    /** Returns the data source behind a transaction-aware proxy, under which managers bind connections. */
    private static DataSource boundAs(DataSource given) {
        DataSource inside = SchemaDataSource.inside(given);
        return inside instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null
                ? proxy.getTargetDataSource()
                : inside;
    }

    /** Returns whether the calling thread is inside work whose transaction has not been committed. */
    static boolean isInsideWork() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.getSynchronizations().stream()
                        .anyMatch(each -> each instanceof TransactionGuard guard && !guard.committed);
    }

    /** Runs statements in a transaction of their own and rolls it back. */
    <T> T rolledBack(RecordId record, Supplier<T> statements) {
        InboxTransaction transaction = begin(record);
        T answer = transaction.rollingBackOnFailure(statements::get);
        transaction.rollBack();
        return answer;
    }

    InboxTransaction begin(RecordId record) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new RefusedWorkException("The inbox was asked to run the work of " + record
                    + " inside the open transaction " + TransactionSynchronizationManager.getCurrentTransactionName()
                    + "; it needs a transaction of its own. Take the transaction away from the caller, for example"
                    + " the transaction manager of the listener container; @Transactional below the inbox is fine");
        }
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        definition.setName("inbox of " + record);
        TransactionStatus status = manager.getTransaction(definition);
        InboxTransaction transaction = new InboxTransaction(record, manager, status, dataSource);
        return transaction.rollingBackOnFailure(() -> guarded(transaction, record));
    }

    /** Begins a transaction whose record is in a set until it ends; empty if it is there already. */
    Optional<InboxTransaction> beginUnlessIn(Set<RecordId> open, RecordId record) {
        if (!open.add(record)) {
            return Optional.empty();
        }
        try {
            InboxTransaction transaction = begin(record);
            transaction.atEnd(() -> open.remove(record));
            return Optional.of(transaction);
        } catch (Throwable failure) {
            open.remove(record);
            throw failure;
        }
    }

    private InboxTransaction guarded(InboxTransaction transaction, RecordId record) {
        if (!TransactionSynchronizationManager.hasResource(dataSource)) {
            throw new RefusedWorkException(
                    "The transaction manager " + manager + " does not manage connections of the inbox's data source "
                            + dataSource + ": the row would be committed apart from the work. Give the inbox the"
                            + " transaction manager of that data source; JTA is not supported");
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new RefusedWorkException("The transaction manager " + manager
                    + " does not synchronize; set its transactionSynchronization to SYNCHRONIZATION_ALWAYS,"
                    + " so that the inbox can refuse REQUIRES_NEW");
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionGuard(record));
        return transaction;
    }

    /**
     * Guards the transaction of the work. Refuses to let it be suspended: writes made meanwhile would remain when the work is
     * rolled back. Called first, before anything is suspended, so the refusal leaves the transaction as it was. Drops the
     * messages that a part of the work has published, such as one in a NESTED transaction, when it is rolled back.
     */
    private static final class TransactionGuard implements TransactionSynchronization {

        private final RecordId record;
        private final Map<Object, Runnable> drops = new HashMap<>();
        private boolean committed;

        TransactionGuard(RecordId record) {
            this.record = record;
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            if (!committed) {
                throw new RefusedWorkException("The work of " + record
                        + " asked for a transaction that commits apart from its inbox row, and was refused: REQUIRES_NEW,"
                        + " NOT_SUPPORTED, or one of another transaction manager. Use REQUIRED or NESTED. Only a"
                        + " callback after the commit may have a transaction of its own, which is lost if the process"
                        + " dies before it");
            }
        }

        /** Allows transactions in callbacks after the commit. */
        @Override
        public void afterCommit() {
            committed = true;
        }

        @Override
        public void savepoint(Object savepoint) {
            IdempotencyContext.current().map(IdempotencyContext::publications).ifPresent(messages -> {
                int before = messages.kept().size();
                drops.put(savepoint, () -> messages.keepOnly(before));
            });
        }

        @Override
        public void savepointRollback(Object savepoint) {
            drops.getOrDefault(savepoint, () -> {}).run();
        }
    }
}
