package io.idem.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;

/** A row that is open elsewhere is never taken for a committed one, nor for a failure of the work. */
class ClaimFailureTest {

    @ParameterizedTest
    @CsvSource({
        "HY000, 1205, UNDER_WAY",
        "40001, 1205, UNDER_WAY",
        "70100, 1317, UNDER_WAY",
        "70100, 1969, UNDER_WAY",
        "55P03, 0, UNDER_WAY",
        "57014, 0, UNDER_WAY",
        "40001, 1213, DEADLOCK",
        "40P01, 0, DEADLOCK"
    })
    void whatTheDatabaseReportsCountsHoweverSpringTranslatedIt(String state, int code, ClaimFailure expected) {
        SQLException reported = new SQLException("reported", state, code);

        assertThat(ClaimFailure.of(new CannotAcquireLockException("", reported)))
                .isEqualTo(expected);
        assertThat(ClaimFailure.of(new UncategorizedSQLException("claim", null, reported)))
                .isEqualTo(expected);
        assertThat(ClaimFailure.of(
                        new CannotAcquireLockException("", new IllegalStateException("wrapped by a pool", reported))))
                .isEqualTo(expected);
    }

    @Test
    void aTimeoutOfTheDriverSaysNothingOfTheRow() {
        assertThat(ClaimFailure.of(new QueryTimeoutException("", new SQLException("timed out", (String) null))))
                .isEqualTo(ClaimFailure.UNDER_WAY);
        assertThat(ClaimFailure.of(new QueryTimeoutException("without a cause")))
                .isEqualTo(ClaimFailure.UNDER_WAY);
    }

    @Test
    void aTransactionThatCannotBeSerializedMetACommittedRow() {
        assertThat(ClaimFailure.of(new CannotAcquireLockException("", new SQLException("concurrent update", "40001"))))
                .isEqualTo(ClaimFailure.ROW_COMMITTED);
    }

    @Test
    void everyOtherFailureIsThrownOn() {
        assertThat(ClaimFailure.of(
                        new DataAccessResourceFailureException("", new SQLException("connection lost", "08006"))))
                .isEqualTo(ClaimFailure.OTHER);
        assertThat(ClaimFailure.of(new DataIntegrityViolationException("", new SQLException("not null", "23502"))))
                .isEqualTo(ClaimFailure.OTHER);
    }
}
