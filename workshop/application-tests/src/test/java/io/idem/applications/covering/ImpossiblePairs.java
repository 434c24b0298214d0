package io.idem.applications.covering;

import static io.idem.applications.covering.Choice.PROGRAMMATIC;
import static io.idem.applications.covering.Choice.RETRY_TOPIC;

import java.util.Map;
import java.util.Optional;

/** The pairs of choices that no application can combine, each with its reason. */
final class ImpossiblePairs {

    private static final Map<Pair, String> REASONS =
            Map.of(Pair.of(PROGRAMMATIC, RETRY_TOPIC), "Spring makes retry topics for annotated listeners only");

    private ImpossiblePairs() {}

    /** Returns the reason why a pair is impossible; empty if it is possible. */
    static Optional<String> reason(Pair pair) {
        return pair.first().sharesBroker(pair.second())
                ? Optional.ofNullable(REASONS.get(pair))
                : Optional.of("one is RabbitMQ's, the other Kafka's");
    }

    static boolean isPossible(Pair pair) {
        return reason(pair).isEmpty();
    }
}
