package io.idem.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.operations.UnsentMessages.Failing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class FailingRowsTest {

    private static final Duration AFTER = Duration.ofMinutes(1);
    private final Exception refused = new IllegalStateException("no such topic");

    private static final RelayRows TABLE = new RelayRows("north", mock(DataSource.class));

    private final FailingRows failing = new FailingRows(AFTER);

    private static RelayedRow row(String key) {
        return new RelayedRow(TABLE, key, "s", OwnerToken.ofBytes(new byte[OwnerToken.SIZE]), List.of(new OutgoingMessage("kafka", "there", new byte[] {1})));
    }

    private Failing failed(String key) {
        return failing.failed(row(key), refused).orElseThrow();
    }

    @Test
    void eachRowComesBackLessAndLessOften() {
        assertThat(IntStream.range(0, 6)
                        .mapToObj(tried -> failing.delay(failed("bad")).toMinutes()))
                .containsExactly(1L, 2L, 4L, 5L, 5L, 5L);
        assertThat(failing.delay(failed("another"))).as("each has its own").isEqualTo(AFTER);
    }

    @Test
    void aRowThatWasTriedAHundredTimesHasTheLongestDelay() {
        assertThat(failing.delay(new Failing("", "k", "s", 100, "there", "no such topic", Instant.now())))
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void aRowThatWasTriedThreeTimesIsListed() {
        failed("bad");
        failed("bad");
        assertThat(failing.list()).isEmpty();

        failed("bad");
        failed("bad");
        failed("another");

        assertThat(failing.list())
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .isEqualTo(
                                new Failing("north", "bad", "s", 4, "kafka:there", refused.toString(), row.lastTry())));
    }

    @Test
    void whereThereAreTooManyTheFirstOnesGoOnCounting() {
        IntStream.range(0, 1_000).forEach(key -> failed("bad" + key));
        assertThat(failing.failed(row("one too many"), refused)).isEmpty();

        assertThat(failed("bad0").tries()).isEqualTo(2);
        failing.confirmed(row("bad1"));
        assertThat(failed("one more").tries()).isEqualTo(1);
    }

    @Test
    void aRowThatWasSentIsForgotten() {
        for (int tries = 0; tries < 3; tries++) {
            failed("bad");
        }
        failing.confirmed(row("bad"));

        assertThat(failing.list()).isEmpty();
        assertThat(failing.delay(failed("bad"))).isEqualTo(AFTER);
    }
}
