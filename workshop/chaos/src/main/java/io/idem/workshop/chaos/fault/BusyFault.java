package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.Crew;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.process.Application;
import java.util.Optional;

/** Slow work with waiting copies of its message, while one of the other workers is killed. */
final class BusyFault {

    private static final int COPIES = 3;

    /** Shortest duration of the work in leases. The owner renews its own lease meanwhile. */
    private static final int SHORTEST = 3;

    private static final int LONGEST = 6;

    private BusyFault() {}

    static Optional<FaultRecord> strike(FaultClass faultClass, Blow blow) {
        Lane lane = blow.next(blow.stage().store().rabbitLanes());
        Application owner = blow.stage().crew().any(blow.random());
        return AtBoundary.strike(
                faultClass, owner, AtBoundary.begun(blow), lane.id(), held -> outlast(blow, lane, held));
    }

    private static void outlast(Blow blow, Lane lane, Application held) {
        String key = held.caughtKey().orElseThrow();
        long lease = Stage.LEASE.toMillis();
        long half = blow.millis(SHORTEST * lease, LONGEST * lease) / 2;
        Crew crew = blow.stage().crew();
        blow.stage().publishApart(lane, key, Names.BODY, COPIES);
        Pause.of(half);
        crew.kill(crew.anyBut(held, blow.random()));
        Pause.of(half);
        held.release();
    }
}
