package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.RabbitProgram;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import java.util.List;

/** Faults of brokers, of the connections to them, and of their messages. */
final class BrokerFaults {

    private static final int COPIES = 20;
    private static final int REWOUND = 50;

    private BrokerFaults() {}

    /** Resets all connections to the AMQP broker. */
    static String cutAmqp(Blow blow) {
        blow.stage().backends().amqpProxy().cut();
        Pause.of(blow.millis(100, 1000));
        return "reset";
    }

    /** Holds back all traffic to and from the AMQP broker. */
    static String blackHoleAmqp(Blow blow) {
        long millis = blow.millis(500, 2 * Stage.LEASE.toMillis());
        blow.stage().backends().amqpProxy().blackHole();
        Pause.of(millis);
        blow.stage().backends().amqpProxy().pass();
        return "swallowed for " + millis + " ms";
    }

    /** Kills RabbitMQ with SIGKILL and starts it with its data a moment later. */
    static String restartRabbit(Blow blow) {
        RabbitProgram rabbit = RabbitProgram.given().orElseThrow();
        rabbit.crash();
        Pause.of(blow.millis(100, 1000));
        rabbit.resume();
        return "SIGKILL";
    }

    /** Unbinds a lane's queue, so that its messages cannot be routed. */
    static String unbind(Blow blow, Lane lane) {
        long millis = blow.millis(200, 2000);
        blow.stage().backends().rabbit().unbind(lane);
        Pause.of(millis);
        blow.stage().backends().rabbit().bind(lane);
        return lane.id() + " for " + millis + " ms";
    }

    /** Kills Kafka with SIGKILL and starts it with its data a moment later. */
    static String restartKafka(Blow blow) {
        blow.stage().backends().kafka().kill();
        Pause.of(blow.millis(100, 1000));
        blow.stage().backends().kafka().start();
        return "SIGKILL";
    }

    /** Stops Kafka with SIGSTOP for a while. */
    static String freezeKafka(Blow blow) {
        long millis = blow.millis(500, 4000);
        blow.stage().backends().kafka().freeze();
        Pause.of(millis);
        blow.stage().backends().kafka().thaw();
        return "frozen for " + millis + " ms";
    }

    /** Sets groups back, so that they read records again. */
    static String rewind(Blow blow) {
        Stage stage = blow.stage();
        stage.crew().endAll();
        stage.store().lanes().stream()
                .filter(lane -> !lane.rabbit())
                .forEach(lane -> stage.backends().topics().rewind(lane, REWOUND));
        stage.crew().fill();
        stage.crew().awaitAllUp();
        return REWOUND + " records of each partition";
    }

    /** Publishes copies of accepted messages past the intake. */
    static String duplicate(Blow blow, Lane lane) {
        List<String> keys = blow.load().lastAccepted(lane, COPIES);
        blow.stage().publish(lane, keys, Names.BODY);
        Pause.of(blow.millis(50, 300));
        return keys.size() + " copies on " + lane.id();
    }
}
