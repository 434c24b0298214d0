package io.idem.consumer.internal.rabbit.defer;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.consumer.ConsumerSettings;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A queue may have a time to live by a policy, which nobody tells: then a return before the lease has ended loses the message. */
class WaitLimitsTest {

    @ParameterizedTest
    @CsvSource({"PT30S, PT10S, PT30S", "PT5S, PT10S, PT10S", "PT30S, PT0.2S, PT0.2S", "PT30S, PT40S, PT40S"})
    void theFirstWaitIsALeaseAtLeastUnlessItIsSet(Duration lease, Duration inPlaceWait, Duration first) {
        ConsumerSettings defaults = ConsumerSettings.of(ExecutionPolicy.of(lease, Duration.ofDays(1)));
        ConsumerSettings settings = new ConsumerSettings(
                defaults.policy(),
                defaults.missingKey(),
                defaults.keySources(),
                defaults.trustTenant(),
                defaults.directCalls(),
                inPlaceWait,
                defaults.hold());

        assertThat(WaitLimits.first(settings)).isEqualTo(first);
    }
}
