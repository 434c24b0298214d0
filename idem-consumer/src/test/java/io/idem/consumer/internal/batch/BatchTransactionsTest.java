package io.idem.consumer.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Which ends of transactions say that a batch took no effect. */
class BatchTransactionsTest {

    private final BatchTransactions transactions = new BatchTransactions();
    private final TransactionStatus outer = status(true, false, false);
    private final TransactionStatus inner = status(true, false, false);

    @BeforeEach
    void begin() {
        transactions.begin();
    }

    @AfterEach
    void end() {
        transactions.end();
    }

    private static TransactionStatus status(boolean isNew, boolean nested, boolean readOnly) {
        return new DefaultTransactionStatus("test", new Object(), isNew, false, nested, readOnly, false, null);
    }

    private static void commit(TransactionStatus transaction) {
        BatchTransactions.begun(transaction);
        BatchTransactions.committed(transaction);
    }

    private static void rollBack(TransactionStatus transaction) {
        BatchTransactions.begun(transaction);
        BatchTransactions.rolledBack(transaction);
    }

    @Test
    void aRollbackAloneUndoesTheBatch() {
        rollBack(outer);

        assertThat(transactions.undone()).isTrue();
    }

    @Test
    void aCommitBeforeTheRollbackDoesNot() {
        commit(outer);
        rollBack(inner);

        assertThat(transactions.undone()).isFalse();
    }

    @Test
    void aCommitInsideOfWhatIsRolledBackSaysNothing() {
        BatchTransactions.begun(outer);
        commit(inner);
        BatchTransactions.rolledBack(outer);

        assertThat(transactions.undone()).isTrue();
    }

    @Test
    void aReleasedSavepointSaysNothing() {
        BatchTransactions.begun(outer);
        commit(status(false, true, false));
        BatchTransactions.rolledBack(outer);

        assertThat(transactions.undone()).isTrue();
    }

    @Test
    void aRollbackInsideOfWhatIsCommittedSaysNothing() {
        BatchTransactions.begun(outer);
        rollBack(inner);
        rollBack(status(false, true, false));
        BatchTransactions.rolledBack(status(false, false, false));
        BatchTransactions.committed(outer);

        assertThat(transactions.undone()).isFalse();
    }

    @Test
    void whatIsCommittedInsideOfATransactionThatOnlyReadsStands() {
        TransactionStatus reading = status(true, false, true);
        BatchTransactions.begun(reading);
        commit(inner);
        BatchTransactions.rolledBack(reading);

        assertThat(transactions.undone()).isFalse();
    }

    @Test
    void aCommitOfATransactionThatOnlyReadsIsNoEffect() {
        commit(status(true, false, true));
        rollBack(outer);

        assertThat(transactions.undone()).isTrue();
    }

    @Test
    void whatWasBegunBeforeItWasWatchedCounts() {
        BatchTransactions.committed(outer);
        rollBack(inner);

        assertThat(transactions.undone()).isFalse();
    }
}
