package io.idem.e2e.chaos.fault;

import io.idem.e2e.chaos.stage.Backends;
import io.idem.e2e.chaos.stage.Crew;
import io.idem.e2e.chaos.stage.Stage;
import io.idem.e2e.chaos.worker.ChaosIntakeMain;
import io.idem.e2e.chaos.worker.Lane;
import io.idem.e2e.child.Point;
import io.idem.e2e.process.Application;
import java.util.Optional;

/** What happens to processes. */
final class ProcessFaults {

    private static final Point[] BEFORE_SETTLING = {
        Point.GRANTED, Point.BEGUN, Point.WORKING, Point.WORKED, Point.COMMITTED, Point.CONFIRMED
    };

    private ProcessFaults() {}

    /** SIGKILL to a worker at one of the nine step boundaries. */
    static Optional<FaultRecord> kill(FaultClass faultClass, Blow blow) {
        Crew crew = blow.stage().crew();
        Point point = blow.one(Point.values());
        Lane lane = blow.one(Lane.values());
        return AtBoundary.strike(faultClass, crew.any(blow.random()), point, lane.id(), crew::kill);
    }

    /** SIGKILL to the intake at one of its step boundaries. */
    static Optional<FaultRecord> killIntake(FaultClass faultClass, Blow blow) {
        Point point = blow.one(Point.ACQUIRING, Point.GRANTED, Point.CONFIRMED, Point.COMPLETED);
        return AtBoundary.strike(
                faultClass,
                blow.stage().intake().up(),
                point,
                ChaosIntakeMain.SCOPE,
                held -> blow.stage().intake().kill());
    }

    /** SIGSTOP to a worker inside its work, beyond the lease and the brokers' patience; then it goes on as a zombie. */
    static Optional<FaultRecord> freeze(FaultClass faultClass, Blow blow) {
        Point point = blow.one(BEFORE_SETTLING);
        Lane lane = blow.one(Lane.values());
        long lease = Stage.LEASE.toMillis();
        long longest = Backends.KAFKA_SESSION.toMillis() + lease;
        long millis = blow.millis(lease, longest);
        return AtBoundary.strike(
                faultClass, blow.stage().crew().any(blow.random()), point, lane.id(), held -> freeze(held, millis));
    }

    private static void freeze(Application held, long millis) {
        held.process().sigstop();
        Pause.of(millis);
        held.process().sigcont();
        held.release();
    }

    /** SIGTERM to a worker under load. */
    static String end(Blow blow) {
        Crew crew = blow.stage().crew();
        Application victim = crew.any(blow.random());
        crew.end(victim);
        return victim.toString();
    }

    /** Workers come and go faster than groups settle. */
    static String storm(Blow blow) {
        Crew crew = blow.stage().crew();
        Application first = crew.any(blow.random());
        crew.kill(first);
        Application second = crew.any(blow.random());
        crew.end(second);
        return "SIGKILL to " + first + ", SIGTERM to " + second;
    }
}
