package io.idem.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;

/** A row that is open elsewhere is never taken for a committed one, nor a claim that just ended for an open row. */
class ClaimFailureTest {

    private static final String BESIDE_A_ROW = "ERROR: canceling statement due to lock timeout\n"
            + "  Where: while inserting index tuple (0,1) in relation \"idem_record\"";

    @ParameterizedTest
    @CsvSource({
        "HY000, 1205, ROW_LOCKED",
        "40001, 1205, ROW_LOCKED",
        "70100, 1317, OTHER",
        "70100, 1969, OTHER",
        "55P03, 0, OTHER",
        "57014, 0, OTHER",
        "40001, 1213, DEADLOCK",
        "40P01, 0, DEADLOCK"
    })
    void whatTheDatabaseReportsCountsHoweverSpringTranslatedIt(String state, int code, ClaimFailure expected) {
        assertReported(new SQLException("reported", state, code), expected);
    }

    private static void assertReported(SQLException reported, ClaimFailure expected) {
        assertThat(ClaimFailure.of(new CannotAcquireLockException("", reported), false))
                .isEqualTo(expected);
        assertThat(ClaimFailure.of(new UncategorizedSQLException("claim of idem_record", null, reported), false))
                .isEqualTo(expected);
        assertThat(ClaimFailure.of(
                        new CannotAcquireLockException("", new IllegalStateException("wrapped by a pool", reported)),
                        false))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"55P03", "57014"})
    void aClaimThatIsCancelledBesideARowMetALock(String state) {
        assertReported(new SQLException(BESIDE_A_ROW, state), ClaimFailure.ROW_LOCKED);
    }

    @Test
    void aClaimThatWaitsAndIsEndedMetALock() {
        SQLException killed = new SQLException("Query execution was interrupted", "70100", 1317);
        assertThat(ClaimFailure.of(new UncategorizedSQLException("claim", null, killed), true))
                .isEqualTo(ClaimFailure.ROW_LOCKED);
        assertThat(ClaimFailure.of(new QueryTimeoutException("", new SQLException("timed out", (String) null)), true))
                .isEqualTo(ClaimFailure.ROW_LOCKED);
        assertThat(ClaimFailure.of(new QueryTimeoutException("without a cause"), true))
                .isEqualTo(ClaimFailure.ROW_LOCKED);
    }

    @Test
    void aTimeoutOfAClaimThatDoesNotWaitSaysNothingOfTheRow() {
        assertThat(ClaimFailure.of(new QueryTimeoutException("without a cause"), false))
                .isEqualTo(ClaimFailure.OTHER);
    }

    @Test
    void aTransactionThatCannotBeSerializedMetACommittedRow() {
        assertThat(ClaimFailure.of(
                        new CannotAcquireLockException("", new SQLException("concurrent update", "40001")), false))
                .isEqualTo(ClaimFailure.ROW_COMMITTED);
    }

    @Test
    void everyOtherFailureIsThrownOn() {
        assertThat(ClaimFailure.of(
                        new DataAccessResourceFailureException("", new SQLException("connection lost", "08006")),
                        false))
                .isEqualTo(ClaimFailure.OTHER);
        assertThat(ClaimFailure.of(
                        new DataIntegrityViolationException("", new SQLException("not null", "23502")), false))
                .isEqualTo(ClaimFailure.OTHER);
    }
}
