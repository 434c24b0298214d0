package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.Stage;

/** Faults of the connections to Kafka. */
final class NetworkFaults {

    private NetworkFaults() {}

    static String cutKafka(Blow blow) {
        blow.stage().backends().kafkaProxy().cut();
        Pause.of(blow.millis(100, 1000));
        return "reset";
    }

    /** Keeps the connections open and holds back all traffic: producers wait, and groups lose their members. */
    static String blackHoleKafka(Blow blow) {
        long millis = blow.millis(500, 2 * Stage.LEASE.toMillis());
        blow.stage().backends().kafkaProxy().blackHole();
        Pause.of(millis);
        blow.stage().backends().kafkaProxy().pass();
        return "swallowed for " + millis + " ms";
    }
}
