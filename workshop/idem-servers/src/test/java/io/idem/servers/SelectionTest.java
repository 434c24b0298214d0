package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelectionTest {

    @Test
    void theFirstOriginThatCanServeDoes() {
        RunningKafka chosen = selection(EnumSet.allOf(Origin.class))
                .or(Origin.GIVEN, Optional::empty)
                .or(Origin.CONTAINER, () -> kafka(Origin.CONTAINER))
                .or(Origin.EMBEDDED, () -> kafka(Origin.EMBEDDED))
                .choose();

        assertThat(chosen.origin()).isEqualTo(Origin.CONTAINER);
    }

    @Test
    void aForbiddenOriginIsNotEvenTried() {
        RunningKafka chosen = selection(EnumSet.of(Origin.EMBEDDED))
                .or(Origin.GIVEN, () -> {
                    throw new IllegalStateException("tried");
                })
                .or(Origin.EMBEDDED, () -> kafka(Origin.EMBEDDED))
                .choose();

        assertThat(chosen.origin()).isEqualTo(Origin.EMBEDDED);
    }

    @Test
    void nothingFoundNamesTheSettingsThatWouldHelp() {
        assertThatThrownBy(() -> selection(EnumSet.noneOf(Origin.class)).choose())
                .hasMessageContaining("IDEM_KAFKA_BOOTSTRAP")
                .hasMessageContaining("IDEM_SERVERS_FROM");
    }

    @Test
    void theEnvironmentMayNarrowTheChoice() {
        assertThat(environment("embedded, given").allowedOrigins())
                .isEqualTo(EnumSet.of(Origin.EMBEDDED, Origin.GIVEN));
        assertThat(environment(" ").allowedOrigins()).isEqualTo(EnumSet.allOf(Origin.class));
        assertThatThrownBy(() -> environment("cloud").allowedOrigins())
                .hasMessageContaining("IDEM_SERVERS_FROM")
                .hasMessageContaining("cloud");
    }

    private static Environment environment(String origins) {
        return new Environment(
                name -> Optional.ofNullable(Map.of("IDEM_SERVERS_FROM", origins).get(name)));
    }

    private static Selection<RunningKafka> selection(Set<Origin> allowed) {
        return new Selection<>("Kafka", "IDEM_KAFKA_BOOTSTRAP", allowed);
    }

    private static Optional<RunningKafka> kafka(Origin origin) {
        return Optional.of(new RunningKafka("localhost:9092", origin, ForeignLifecycle.leftAlone()));
    }
}
