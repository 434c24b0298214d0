package io.idem.workshop.chaos.fault;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.chaos.worker.StoreKind;
import io.idem.workshop.child.Point;
import io.idem.workshop.process.Application;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Faults of work: slow work, late work, and repeated work after its record was lost. */
final class WorkFaults {

    private static final int COPIES = 3;
    private static final int FORGOTTEN = 5;
    private static final Duration DONE_WITHIN = Duration.ofSeconds(20);

    /**
     * Time between the end of the stop and the work, so that the heartbeat comes first, as it would between two slow
     * steps.
     */
    private static final long WAKING_MILLIS = 300;

    private WorkFaults() {}

    /** Publishes, on every lane, several copies at once of a message whose work takes longer than a lease. */
    static String slow(Blow blow) {
        String name = "slow-" + Long.toHexString(blow.random().nextLong());
        Map<Lane, String> keys = blow.stage().store().lanes().stream()
                .collect(Collectors.toMap(
                        Function.identity(), lane -> blow.load().freshKey(lane, name)));
        keys.forEach((lane, key) -> blow.stage().publishApart(lane, key, Names.SLOW, COPIES));
        keys.forEach(blow.load()::adopt);
        boolean done = Waiting.until(DONE_WITHIN, () -> keys.values().stream().allMatch(key -> hasEffect(blow, key)));
        return COPIES + " copies of work of " + Names.SLOW_WORK.toMillis() + " ms" + (done ? "" : ", not done in time");
    }

    /**
     * Stops a worker before its first write until another worker has done the work. With the inbox alone the database
     * ends the session of the worker, because its transaction keeps the work from others for as long as it is open.
     */
    static Optional<FaultRecord> zombie(FaultClass faultClass, Blow blow) {
        Point point = blow.one(Point.GRANTED, AtBoundary.begun(blow));
        Lane lane = blow.next(blow.stage().store().lanes());
        Application worker = blow.stage().crew().any(blow.random());
        return AtBoundary.strike(faultClass, worker, point, lane.id(), held -> outlive(blow, lane, held));
    }

    private static void outlive(Blow blow, Lane lane, Application held) {
        String key = held.caughtKey().orElseThrow();
        held.process().sigstop();
        boolean alone = blow.stage().store() == StoreKind.INBOX;
        Waiting.until(DONE_WITHIN, () -> {
            if (alone) {
                DatabaseFaults.endOpenSessions(blow);
            }
            return hasEffect(blow, key);
        });
        held.process().sigcont();
        Pause.of(WAKING_MILLIS);
        held.release();
        blow.stage().publish(lane, List.of(key), Names.BODY);
    }

    private static boolean hasEffect(Blow blow, String key) {
        return new Ledger(blow.stage().backends().ledger())
                .rows(key).stream().anyMatch(row -> row.key().equals(key));
    }

    /** Empties Redis with FLUSHALL and then publishes copies of messages that were processed before. */
    static String forget(Blow blow) {
        Stage stage = blow.stage();
        stage.singleRedis().server().command("FLUSHALL");
        for (Lane lane : stage.store().lanes()) {
            stage.publish(lane, blow.load().lastAccepted(lane, FORGOTTEN), Names.BODY);
        }
        Pause.of(blow.millis(300, 1000));
        return "FLUSHALL, and " + FORGOTTEN + " copies on each lane";
    }
}
