package io.idem.consumer.internal.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProbeTest {

    private final Object link = new Object();

    @Test
    void aProbeEndsAtItsLinkAndOtherThreadsGoOn() throws Throwable {
        boolean arrived = Probe.arrivesAt(link, () -> {
            assertThat(CompletableFuture.supplyAsync(() -> Probe.endsAt(link)).join())
                    .as("another thread")
                    .isFalse();
            return Probe.endsAt(link);
        });

        assertThat(arrived).isTrue();
        assertThat(Probe.endsAt(link)).as("after the probe").isFalse();
    }

    @Test
    void aProbeEndsAtAnotherLinkToo() throws Throwable {
        boolean arrived = Probe.arrivesAt(link, () -> {
            assertThat(Probe.endsAt(new Object())).as("ends").isTrue();
            return null;
        });

        assertThat(arrived).isFalse();
    }

    @Test
    void aFailureCountsUntilTheProbeHasArrived() throws Throwable {
        assertThatThrownBy(() -> Probe.arrivesAt(link, () -> {
                    throw new IllegalStateException("in front of the link");
                }))
                .hasMessage("in front of the link");
        boolean arrived = Probe.arrivesAt(link, () -> {
            Probe.endsAt(link);
            throw new IllegalStateException("on the way back");
        });

        assertThat(arrived).isTrue();
        assertThat(Probe.endsAt(link)).as("after the probe").isFalse();
    }
}
