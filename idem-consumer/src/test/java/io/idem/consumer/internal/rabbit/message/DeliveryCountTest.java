package io.idem.consumer.internal.rabbit.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageBuilder;

class DeliveryCountTest {

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static Duration waitAfter(Object counted) {
        return DeliveryCount.of(MessageBuilder.withBody(new byte[0])
                        .setHeader("x-delivery-count", counted)
                        .build())
                .waitLimit(FIRST, LONGEST);
    }

    @Test
    void everyWaitIsTwiceAsLongUpToABound() {
        assertThat(waitAfter(0L)).isEqualTo(FIRST);
        assertThat(waitAfter(1L)).isEqualTo(Duration.ofSeconds(20));
        assertThat(waitAfter(3)).isEqualTo(Duration.ofSeconds(80));
        assertThat(waitAfter(7)).isEqualTo(LONGEST);
        assertThat(waitAfter(Long.MAX_VALUE)).isEqualTo(LONGEST);
    }

    @Test
    void theDefaultDeliveryLimitOutlastsThreeHoursOfWork() {
        Duration all = LongStream.rangeClosed(0, 20)
                .mapToObj(DeliveryCountTest::waitAfter)
                .reduce(Duration.ZERO, Duration::plus);

        assertThat(all).isGreaterThan(Duration.ofHours(3));
    }

    @Test
    void aBoundBelowTheFirstWaitChangesNothing() {
        assertThat(new DeliveryCount(5).waitLimit(FIRST, Duration.ZERO)).isEqualTo(FIRST);
    }

    @Test
    void queuesThatDoNotCountAreWaitedForAsEver() {
        assertThat(DeliveryCount.of(MessageBuilder.withBody(new byte[0]).build()))
                .isEqualTo(new DeliveryCount(0));
        assertThat(waitAfter("often")).isEqualTo(FIRST);
    }
}
