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
    void every_wait_is_twice_as_long_up_to_a_bound() {
        assertThat(patienceAfter(0L)).isEqualTo(FIRST);
        assertThat(patienceAfter(1L)).isEqualTo(Duration.ofSeconds(20));
        assertThat(patienceAfter(3)).isEqualTo(Duration.ofSeconds(80));
        assertThat(patienceAfter(7)).isEqualTo(LONGEST);
        assertThat(patienceAfter(Long.MAX_VALUE)).isEqualTo(LONGEST);
    }

    @Test
    void the_default_delivery_limit_outlasts_three_hours_of_work() {
        Duration all = LongStream.rangeClosed(0, 20)
                .mapToObj(DeliveryCountTest::patienceAfter)
                .reduce(Duration.ZERO, Duration::plus);

        assertThat(all).isGreaterThan(Duration.ofHours(3));
    }

    @Test
    void a_bound_below_the_first_wait_changes_nothing() {
        assertThat(new DeliveryCount(5).waitLimit(FIRST, Duration.ZERO)).isEqualTo(FIRST);
    }

    @Test
    void queues_that_do_not_count_are_waited_for_as_ever() {
        assertThat(DeliveryCount.of(MessageBuilder.withBody(new byte[0]).build()))
                .isEqualTo(new DeliveryCount(0));
        assertThat(patienceAfter("often")).isEqualTo(FIRST);
    }
}
