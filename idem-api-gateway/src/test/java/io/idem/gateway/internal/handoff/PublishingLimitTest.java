package io.idem.gateway.internal.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.gateway.HandOffFailedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PublishingLimitTest {

    private final PublishingLimit limit = new PublishingLimit(1);
    private final BrokerConfirmation confirmation = new BrokerConfirmation("queue \"q\"", Duration.ofSeconds(1));
    private final AtomicInteger published = new AtomicInteger();

    @Test
    void whatIsMoreThanMayBeOnTheWayIsRefusedAtOnce() {
        limit.publish(
                confirmation,
                () -> assertThatThrownBy(() -> limit.publish(confirmation, published::incrementAndGet))
                        .isInstanceOf(HandOffFailedException.class)
                        .hasMessageContaining("queue \"q\" was not sent"));

        assertThat(published).hasValue(0);
    }

    @Test
    void aPlaceIsFreeAgainWhateverBecameOfTheMessage() {
        assertThatThrownBy(() -> limit.publish(confirmation, () -> {
                    throw new HandOffFailedException("refused", null);
                }))
                .hasMessage("refused");
        limit.publish(confirmation, published::incrementAndGet);
        limit.publish(confirmation, published::incrementAndGet);

        assertThat(published).hasValue(2);
    }
}
