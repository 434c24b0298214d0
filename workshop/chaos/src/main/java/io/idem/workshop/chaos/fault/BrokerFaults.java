package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.RabbitProgram;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import java.util.Arrays;
import java.util.List;

/** What happens to brokers, to the connections to them, and to what is in them. */
final class BrokerFaults {

    private static final int COPIES = 20;
    private static final int REWOUND = 50;

    private BrokerFaults() {}

    /** All connections to the AMQP broker are reset. */
    static String cutAmqp(Blow blow) {
        blow.stage().backends().amqpProxy().cut();
        Pause.of(blow.millis(100, 1000));
        return "reset";
    }

    /** Nothing passes to and from the AMQP broker. */
    static String blackHoleAmqp(Blow blow) {
        long millis = blow.millis(500, 2 * Stage.LEASE.toMillis());
        blow.stage().backends().amqpProxy().blackHole();
        Pause.of(millis);
        blow.stage().backends().amqpProxy().pass();
        return "swallowed for " + millis + " ms";
    }

    /** SIGKILL to RabbitMQ, and the same data a moment later. */
    static String restartRabbit(Blow blow) {
        RabbitProgram rabbit = RabbitProgram.given().orElseThrow();
        rabbit.crash();
        Pause.of(blow.millis(100, 1000));
        rabbit.resume();
        return "SIGKILL";
    }

    /** Messages to a lane have nowhere to go. */
    static String unbind(Blow blow, Lane lane) {
        long millis = blow.millis(200, 2000);
        blow.stage().backends().rabbit().unbind(lane);
        Pause.of(millis);
        blow.stage().backends().rabbit().bind(lane);
        return lane.id() + " for " + millis + " ms";
    }

    /** SIGKILL to Kafka, and the same data a moment later. */
    static String restartKafka(Blow blow) {
        blow.stage().backends().kafka().kill();
        Pause.of(blow.millis(100, 1000));
        blow.stage().backends().kafka().start();
        return "SIGKILL";
    }

    /** SIGSTOP to Kafka. */
    static String freezeKafka(Blow blow) {
        long millis = blow.millis(500, 4000);
        blow.stage().backends().kafka().freeze();
        Pause.of(millis);
        blow.stage().backends().kafka().thaw();
        return "frozen for " + millis + " ms";
    }

    /** Groups read again what they have read. */
    static String rewind(Blow blow) {
        Stage stage = blow.stage();
        stage.crew().endAll();
        Arrays.stream(Lane.values())
                .filter(lane -> !lane.rabbit())
                .forEach(lane -> stage.backends().topics().rewind(lane, REWOUND));
        stage.crew().fill();
        stage.crew().awaitAllUp();
        return REWOUND + " records of each partition";
    }

    /** Copies of messages that were accepted come from elsewhere. */
    static String duplicate(Blow blow, Lane lane) {
        List<String> keys = blow.load().lastAccepted(lane, COPIES);
        blow.stage().publish(lane, keys, Names.BODY);
        Pause.of(blow.millis(50, 300));
        return keys.size() + " copies on " + lane.id();
    }
}
