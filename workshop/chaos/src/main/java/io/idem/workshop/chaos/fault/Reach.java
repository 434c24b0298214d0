package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import java.util.function.Predicate;

/**
 * Which lanes a fault counts for. What hits Redis, or a process that has consumers on all lanes, counts for all of them; what
 * hits a broker, for its lanes; what hits one lane or the work of one key, for that lane only, which is in its record. Pure functions.
 */
final class Reach {

    private Reach() {}

    static Predicate<Lane> of(FaultClass faultClass) {
        return switch (faultClass) {
            case NONE -> lane -> false;
            case AMQP_CUT, AMQP_BLACK_HOLE, RABBIT_RESTART, UNBOUND, BUSY -> Lane::rabbit;
            case KAFKA_RESTART, KAFKA_FREEZE, KAFKA_CUT, KAFKA_BLACK_HOLE, REWIND -> lane -> !lane.rabbit();
            default -> lane -> true;
        };
    }
}
