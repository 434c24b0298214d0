package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.worker.Lane;
import java.util.List;
import java.util.Optional;

/** The faults of all classes. */
public final class Faults {

    private Faults() {}

    /** Injects a fault of the class once; empty if its moment did not come. */
    public static Optional<FaultRecord> strike(FaultClass faultClass, Blow blow) {
        return of(faultClass).strike(faultClass, blow);
    }

    private static Fault of(FaultClass faultClass) {
        return switch (faultClass) {
            case NONE -> Fault.plain(blow -> "nothing");
            case KILL -> ProcessFaults::kill;
            case FREEZE -> ProcessFaults::freeze;
            case TERM -> Fault.plain(ProcessFaults::end);
            case INTAKE -> ProcessFaults::killIntake;
            case REDIS_RESTART -> Fault.plain(RedisFaults::restart);
            case REDIS_LOSS -> Fault.plain(RedisFaults::lose);
            case REDIS_FREEZE -> Fault.plain(RedisFaults::freeze);
            case BLACK_HOLE -> Fault.plain(RedisFaults::blackHole);
            case REPLY_CUT -> Fault.plain(RedisFaults::cutAfterExecution);
            case REDIS_CUT -> Fault.plain(RedisFaults::cut);
            case FULL -> Fault.plain(RedisFaults::full);
            case REFUSED_WRITES -> Fault.plain(RedisFaults::refuseWrites);
            case DEMOTED -> Fault.plain(RedisFaults::demote);
            case SCRIPT_FLUSH -> Fault.plain(RedisFaults::forgetScripts);
            case SLOW_SCRIPT -> Fault.plain(RedisFaults::slowScript);
            case AMQP_CUT -> Fault.plain(BrokerFaults::cutAmqp);
            case AMQP_BLACK_HOLE -> Fault.plain(BrokerFaults::blackHoleAmqp);
            case RABBIT_RESTART -> Fault.plain(BrokerFaults::restartRabbit);
            case UNBOUND -> Fault.onOne(Faults::rabbitLanes, BrokerFaults::unbind);
            case KAFKA_RESTART -> Fault.plain(BrokerFaults::restartKafka);
            case KAFKA_FREEZE -> Fault.plain(BrokerFaults::freezeKafka);
            case KAFKA_CUT -> Fault.plain(NetworkFaults::cutKafka);
            case KAFKA_BLACK_HOLE -> Fault.plain(NetworkFaults::blackHoleKafka);
            case STORM -> Fault.plain(ProcessFaults::storm);
            case REWIND -> Fault.plain(BrokerFaults::rewind);
            case DUPLICATE -> Fault.onOne(Faults::lanes, BrokerFaults::duplicate);
            case REDRIVE -> Fault.onOne(Faults::lanes, Redrive::strike);
            case SLOW_WORK -> Fault.plain(WorkFaults::slow);
            case BUSY -> BusyFault::strike;
            case ZOMBIE -> WorkFaults::zombie;
            case AMNESIA -> Fault.plain(WorkFaults::forget);
            case FAILOVER -> Fault.plain(RedisFaults::failOver);
            case CLUSTER_FAILOVER -> Fault.plain(ClusterFaults::failOver);
            case SLOT_MOVE -> Fault.plain(ClusterFaults::moveSlots);
            case CLOCK_JUMP -> Fault.plain(RedisFaults::jump);
            case DB_RESTART -> Fault.plain(DatabaseFaults::restart);
            case DB_CUT -> Fault.plain(DatabaseFaults::cut);
            case DB_BLACK_HOLE -> Fault.plain(DatabaseFaults::blackHole);
            case COMMIT_CUT -> Fault.plain(DatabaseFaults::cutCommit);
            case SESSION_KILL -> DatabaseFaults::endSession;
            case BAD_DESTINATION -> Fault.onOne(Faults::lanes, RelayFaults::badDestination);
            case TENANTS -> Fault.onOne(Faults::lanes, RelayFaults::tenants);
        };
    }

    private static List<Lane> lanes(Blow blow) {
        return blow.stage().store().lanes();
    }

    private static List<Lane> rabbitLanes(Blow blow) {
        return blow.stage().store().rabbitLanes();
    }
}
