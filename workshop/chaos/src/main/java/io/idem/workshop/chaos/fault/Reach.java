package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import java.util.function.Predicate;

/**
 * Determines the lanes that a fault counts for: all lanes if Redis or a worker, which consumes on all lanes, was
 * struck; the lanes of a broker if that was struck; or the single lane in its record if one lane or the work of one key
 * was struck. Pure functions.
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
