package io.idem.gateway.service.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.gateway.service.limits.RateLimit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong clock = new AtomicLong();

    @Test
    void aTenantThatHasUsedItsBurstMustWaitForTheNextPermit() {
        TokenBuckets limit = new TokenBuckets(new Rate(2, SECOND, 3), Map.of(), clock::get);

        assertThat(granted(limit, "north", 5)).isEqualTo(3);
        assertThat(limit.take("north")).contains(Duration.ofMillis(500));

        pass(Duration.ofMillis(499));
        assertThat(limit.take("north")).contains(Duration.ofMillis(1));
        pass(Duration.ofMillis(1));
        assertThat(granted(limit, "north", 2)).isEqualTo(1);
    }

    @Test
    void aTenantIsNotRefusedForAnother() {
        TokenBuckets limit = new TokenBuckets(new Rate(1, SECOND, 1), Map.of(), clock::get);

        assertThat(granted(limit, "north", 3)).isEqualTo(1);
        assertThat(granted(limit, "south", 3)).isEqualTo(1);
    }

    @Test
    void aTenantMayHaveALimitOfItsOwn() {
        Map<String, Rate> own = Map.of("north", new Rate(5, SECOND, 5));

        assertThat(granted(new TokenBuckets(new Rate(1, SECOND, 1), own, clock::get), "north", 9))
                .isEqualTo(5);
        assertThat(granted(new TokenBuckets(null, own, clock::get), "north", 9)).isEqualTo(5);
        assertThat(granted(new TokenBuckets(null, own, clock::get), "south", 9)).isEqualTo(9);
    }

    @Test
    void aPauseBringsNoMoreThanTheBurst() {
        TokenBuckets limit = new TokenBuckets(new Rate(2, SECOND, 3), Map.of(), clock::get);
        granted(limit, "north", 3);

        pass(SECOND);
        assertThat(granted(limit, "north", 5)).isEqualTo(2);
        pass(Duration.ofDays(1));
        assertThat(granted(limit, "north", 5)).isEqualTo(3);
    }

    /** What is forgotten would have been full again. */
    @Test
    void beingForgottenBringsNoPermitBefore() {
        TokenBuckets limit = new TokenBuckets(new Rate(1, Duration.ofHours(1), 4), Map.of(), clock::get);
        granted(limit, "north", 4);

        pass(Duration.ofHours(4).minusNanos(1));
        assertThat(granted(limit, "north", 9)).isEqualTo(3);
    }

    @Test
    void whatCannotBeCountedIsRefused() {
        assertThatThrownBy(() -> new Rate(0, SECOND, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(1, SECOND, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(1, Duration.ZERO, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(9, Duration.ofNanos(8), 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static long granted(RateLimit limit, String tenant, int requests) {
        return IntStream.range(0, requests)
                .filter(request -> limit.take(tenant).isEmpty())
                .count();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
