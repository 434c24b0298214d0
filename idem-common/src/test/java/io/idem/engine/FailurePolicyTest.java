package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.FailurePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {

    private static FailurePolicy policy(
            List<Class<? extends Throwable>> rejectOn, List<Class<? extends Throwable>> retryOn) {
        return FailurePolicy.RETRY_ALL.with(rejectOn, retryOn);
    }

    @Test
    void withoutRulesNothingIsFinal() {
        assertThat(FailurePolicy.RETRY_ALL.rejects(new StackOverflowError())).isFalse();
    }

    @Test
    void aRuleHoldsForSubclasses() {
        FailurePolicy policy = policy(List.of(IllegalArgumentException.class), List.of());

        assertThat(policy.rejects(new NumberFormatException())).isTrue();
        assertThat(policy.rejects(new IllegalStateException())).isFalse();
    }

    @Test
    void aRuleHoldsForCauses() {
        FailurePolicy policy = policy(List.of(FileNotFoundException.class), List.of());

        assertThat(policy.rejects(
                        new IllegalStateException(new UncheckedIOException(new FileNotFoundException("gone")))))
                .isTrue();
    }

    @Test
    void theMostSpecificRuleWinsWhereverItsExceptionIs() {
        FailurePolicy policy =
                policy(List.of(RuntimeException.class, FileNotFoundException.class), List.of(IOException.class));

        assertThat(policy.rejects(new IOException("timeout"))).isFalse();
        assertThat(policy.rejects(new FileNotFoundException("gone"))).isTrue();
        assertThat(policy.rejects(new UncheckedIOException(new FileNotFoundException("gone"))))
                .isTrue();
    }

    @Test
    void amongEquallySpecificRulesTheOutermostExceptionDecides() {
        FailurePolicy policy = policy(List.of(IllegalStateException.class), List.of(IllegalArgumentException.class));

        assertThat(policy.rejects(new IllegalStateException(new IllegalArgumentException())))
                .isTrue();
        assertThat(policy.rejects(new IllegalArgumentException(new IllegalStateException())))
                .isFalse();
    }

    @Test
    void laterRulesReplaceEarlierOnesForTheSameClass() {
        FailurePolicy policy =
                policy(List.of(IOException.class), List.of()).with(List.of(), List.of(IOException.class));

        assertThat(policy.rejects(new IOException())).isFalse();
    }

    @Test
    void aClassCannotBeBoth() {
        assertThatThrownBy(() -> policy(List.of(IOException.class), List.of(IOException.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.io.IOException");
    }

    @Test
    void whatSaysNotNowIsNeverFinal() {
        FailurePolicy policy = policy(List.of(Throwable.class), List.of());

        assertThat(policy.rejects(new IllegalStateException(ScriptedStore.silence())))
                .isFalse();
        assertThat(policy.rejects(new IllegalStateException(new InterruptedException())))
                .isFalse();
        assertThat(policy.rejects(new IllegalStateException())).isTrue();
    }

    @Test
    void causesThatGoRoundInACircleEnd() {
        IllegalStateException one = new IllegalStateException();
        IllegalStateException other = new IllegalStateException(one);
        one.initCause(other);

        assertThat(policy(List.of(IOException.class), List.of()).rejects(one)).isFalse();
    }

    @Test
    void aReasonFitsIntoAHeader() {
        assertThat(FailurePolicy.reason(new IllegalStateException("x".repeat(100_000))))
                .startsWith("java.lang.IllegalStateException: xxx")
                .hasSize(1024);
    }
}
