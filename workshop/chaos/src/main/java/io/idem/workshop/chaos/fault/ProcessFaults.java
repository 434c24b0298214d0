package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.Backends;
import io.idem.workshop.chaos.stage.Crew;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.ChaosIntakeMain;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StoreKind;
import io.idem.workshop.child.Point;
import io.idem.workshop.process.Application;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Faults of processes. */
final class ProcessFaults {

    /** A step boundary on a lane. */
    private record Boundary(Point point, Lane lane) {}

    private static final Set<Point> OF_A_STEP = EnumSet.of(Point.STEPPED, Point.REMEMBERED);

    private ProcessFaults() {}

    /**
     * Returns the boundaries between two points. A worker whose only store is the inbox passes two of them not, and work
     * without steps passes not those of a step.
     */
    private static List<Boundary> boundaries(StoreKind store, Point first, Point last) {
        Set<Point> points = EnumSet.range(first, last);
        if (store == StoreKind.INBOX) {
            points.removeAll(EnumSet.of(Point.BEGUN, Point.CONFIRMED));
        }
        return points.stream()
                .flatMap(point -> store.lanes().stream().map(lane -> new Boundary(point, lane)))
                .filter(boundary -> boundary.lane().steps() || !OF_A_STEP.contains(boundary.point()))
                .toList();
    }

    /** Kills a worker with SIGKILL at one of its boundaries: eleven, nine without steps, or seven if the inbox is the store. */
    static Optional<FaultRecord> kill(FaultClass faultClass, Blow blow) {
        Crew crew = blow.stage().crew();
        Boundary boundary = blow.next(boundaries(blow.stage().store(), Point.ACQUIRING, Point.ACKNOWLEDGED));
        return AtBoundary.strike(
                faultClass,
                crew.any(blow.random()),
                boundary.point(),
                boundary.lane().id(),
                crew::kill);
    }

    /** Kills the intake with SIGKILL at one of its step boundaries. */
    static Optional<FaultRecord> killIntake(FaultClass faultClass, Blow blow) {
        Point point = blow.one(Point.ACQUIRING, Point.GRANTED, Point.CONFIRMED, Point.COMPLETED);
        return AtBoundary.strike(
                faultClass,
                blow.stage().intake().up(),
                point,
                ChaosIntakeMain.SCOPE,
                held -> blow.stage().intake().kill());
    }

    /**
     * Stops a worker with SIGSTOP inside its work, beyond the lease and the brokers' timeouts, and then lets it go on
     * as a zombie.
     */
    static Optional<FaultRecord> freeze(FaultClass faultClass, Blow blow) {
        Boundary boundary = blow.next(boundaries(blow.stage().store(), Point.GRANTED, Point.CONFIRMED));
        long lease = Stage.LEASE.toMillis();
        long longest = Backends.KAFKA_SESSION.toMillis() + lease;
        long millis = blow.millis(lease, longest);
        return AtBoundary.strike(
                faultClass,
                blow.stage().crew().any(blow.random()),
                boundary.point(),
                boundary.lane().id(),
                held -> freeze(held, millis));
    }

    private static void freeze(Application held, long millis) {
        held.process().sigstop();
        Pause.of(millis);
        held.process().sigcont();
        held.release();
    }

    /** Ends a worker with SIGTERM under load. */
    static String end(Blow blow) {
        Crew crew = blow.stage().crew();
        Application victim = crew.any(blow.random());
        crew.end(victim);
        return victim.toString();
    }

    /** Ends and replaces workers faster than consumer groups become stable. */
    static String storm(Blow blow) {
        Crew crew = blow.stage().crew();
        Application first = crew.any(blow.random());
        crew.kill(first);
        Application second = crew.any(blow.random());
        crew.end(second);
        return "SIGKILL to " + first + ", SIGTERM to " + second;
    }
}
