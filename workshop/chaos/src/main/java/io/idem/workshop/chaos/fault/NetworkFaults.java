package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.Stage;

/** What happens to connections to Kafka. */
final class NetworkFaults {

    private NetworkFaults() {}

    /** All of them are reset. */
    static String cutKafka(Blow blow) {
        blow.stage().backends().kafkaProxy().cut();
        Pause.of(blow.millis(100, 1000));
        return "reset";
    }

    /** They stay open and nothing passes: producers wait, and groups lose their members. */
    static String blackHoleKafka(Blow blow) {
        long millis = blow.millis(500, 2 * Stage.LEASE.toMillis());
        blow.stage().backends().kafkaProxy().blackHole();
        Pause.of(millis);
        blow.stage().backends().kafkaProxy().pass();
        return "swallowed for " + millis + " ms";
    }
}
