package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalDeadlineTest {

    private static final long SENT_AT = 5_000;
    private static final ExecutionPolicy POLICY = new ExecutionPolicy(
            Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofHours(1), 0);
    private static final long TRUSTED = Duration.ofSeconds(27).toNanos();

    private final AtomicLong now = new AtomicLong(SENT_AT);
    private final LocalDeadline deadline = new LocalDeadline(now::get, POLICY, SENT_AT);

    @Test
    void aLeaseIsTrustedFromWhenItWasAskedForLessTheMargin() {
        now.addAndGet(TRUSTED - 1);
        assertThat(deadline.passed()).isFalse();
        assertThat(deadline.remainingNanos()).isEqualTo(1);

        now.incrementAndGet();
        assertThat(deadline.passed()).isTrue();
        assertThat(deadline.remainingNanos()).isZero();
    }

    @Test
    void aRenewalCountsFromWhenItWasSent() {
        deadline.extendFrom(SENT_AT + 10);

        assertThat(deadline.remainingNanos()).isEqualTo(TRUSTED + 10);
    }

    @Test
    void anAnswerThatWasOvertakenShortensNothing() {
        deadline.extendFrom(SENT_AT + 10);
        deadline.extendFrom(SENT_AT + 5);

        assertThat(deadline.remainingNanos()).isEqualTo(TRUSTED + 10);
    }

    @Test
    void whatIsLostStaysLost() {
        deadline.lose();
        deadline.extendFrom(SENT_AT + 10);

        assertThat(deadline.passed()).isTrue();
    }

    @Test
    void withoutALeaseNothingPasses() {
        assertThat(LocalDeadline.none().passed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -SENT_AT, 0, 1, SENT_AT, Long.MAX_VALUE})
    void withoutALeaseARenewalLetsNothingPass(long sentAt) {
        LocalDeadline endless = LocalDeadline.none();

        endless.extendFrom(sentAt);

        assertThat(endless.passed()).isFalse();
        assertThat(endless.remainingNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
