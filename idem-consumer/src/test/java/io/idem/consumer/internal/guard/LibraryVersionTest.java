package io.idem.consumer.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

class LibraryVersionTest {

    @ParameterizedTest
    @ValueSource(strings = {"4.0.6", "4.0.10-SNAPSHOT", "3.99.1", "4.0"})
    void anEarlierVersionIsBefore(String earlier) {
        assertThat(new LibraryVersion(earlier).isBefore(4, 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.1", "4.1.0", "4.1.0-M2", "4.10.0", "5.0.0", "unknown"})
    void aLaterOrUnreadableVersionIsNotBefore(String later) {
        assertThat(new LibraryVersion(later).isBefore(4, 1)).isFalse();
    }

    @Test
    void aVersionThatNothingStatesIsNotBefore() {
        assertThat(new LibraryVersion(null).isBefore(4, 1)).isFalse();
    }

    @Test
    void aVersionIsReadFromTheJarOfAType() {
        LibraryVersion version = LibraryVersion.of(RabbitListener.class, "spring-rabbit");

        assertThat(version.isBefore(4, 0)).isFalse();
        assertThat(version.isBefore(99)).isTrue();
    }

    @Test
    void theVersionOfAJarThatHasAnotherTitleIsNotTheLibrarys() {
        assertThat(LibraryVersion.of(RabbitListener.class, "application")).isEqualTo(new LibraryVersion(null));
    }
}
