package io.idem.workshop.chaos.fault;

import io.idem.servers.process.Waiting;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.chaos.stage.Stage;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.child.Point;
import io.idem.workshop.process.Application;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Faults of the database, of the connections to it and of its sessions. */
final class DatabaseFaults {

    /** Ends sessions that wait for their client within a transaction; a session of healthy work waits for less. */
    private static final String END_OPEN_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE state LIKE 'idle in transaction%' AND state_change < clock_timestamp() - interval '200 ms'";

    /** Text of the driver's commit. Workers prepare no statement by name, so that every commit has it. */
    private static final String COMMIT = "COMMIT";

    private DatabaseFaults() {}

    private static TcpProxy proxy(Blow blow) {
        return blow.stage().backends().postgresProxy();
    }

    /** Kills the database with SIGKILL and starts it with its data a moment later. */
    static String restart(Blow blow) {
        blow.stage().backends().postgres().kill();
        Pause.of(blow.millis(100, 1000));
        blow.stage().backends().postgres().start();
        return "SIGKILL";
    }

    static String cut(Blow blow) {
        proxy(blow).cut();
        Pause.of(blow.millis(50, 500));
        return "reset";
    }

    /** Keeps the connections open and holds back all traffic, so that commits have no outcome meanwhile. */
    static String blackHole(Blow blow) {
        long millis = blow.millis(200, 2 * Stage.LEASE.toMillis());
        proxy(blow).blackHole();
        Pause.of(millis);
        proxy(blow).pass();
        return "swallowed for " + millis + " ms";
    }

    /** Loses, with its connection, a commit on its way to the database or the answer to it, in turn. */
    static String cutCommit(Blow blow) {
        boolean answer = blow.number() % 2 == 0;
        CompletableFuture<Void> lost =
                answer ? proxy(blow).loseReplyTo(COMMIT) : proxy(blow).loseRequest(COMMIT);
        Waiting.until(Stage.LEASE, lost::isDone);
        Pause.of(blow.millis(20, 200));
        String what = answer ? "answer to a commit lost" : "commit lost";
        return lost.isDone() ? what : "no commit came by";
    }

    /** Ends the session of a worker that stands between its claim and its commit; then the worker goes on. */
    static Optional<FaultRecord> endSession(FaultClass faultClass, Blow blow) {
        Point point = blow.one(Point.GRANTED, Point.WORKING, Point.WORKED);
        Lane lane = blow.next(blow.stage().store().lanes());
        Application worker = blow.stage().crew().any(blow.random());
        return AtBoundary.strike(faultClass, worker, point, lane.id(), held -> {
            Waiting.until(Stage.LEASE, () -> endOpenSessions(blow));
            held.release();
        });
    }

    /** Ends the sessions of work that stands still; returns whether there were any. */
    static boolean endOpenSessions(Blow blow) {
        return !blow.stage().backends().ledger().select(END_OPEN_SESSIONS).isEmpty();
    }
}
