package io.idem.consumer.internal.rabbit.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageBuilder;

class DeliveryCountTest {

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static Duration patienceAfter(Object counted) {
        return DeliveryCount.of(MessageBuilder.withBody(new byte[0])
                        .setHeader("x-delivery-count", counted)
                        .build())
                .waitLimit(FIRST, LONGEST);
    }

    @Test
    void everyWaitIsTwiceAsLongUpToABound() {
        assertThat(patienceAfter(0L)).isEqualTo(FIRST);
        assertThat(patienceAfter(1L)).isEqualTo(Duration.ofSeconds(20));
        assertThat(patienceAfter(3)).isEqualTo(Duration.ofSeconds(80));
        assertThat(patienceAfter(7)).isEqualTo(LONGEST);
        assertThat(patienceAfter(Long.MAX_VALUE)).isEqualTo(LONGEST);
    }

    @Test
    void theDefaultDeliveryLimitOutlastsThreeHoursOfWork() {
        Duration all = LongStream.rangeClosed(0, 20)
                .mapToObj(DeliveryCountTest::patienceAfter)
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
        assertThat(patienceAfter("often")).isEqualTo(FIRST);
    }
}
