package io.idem.workshop.chaos.fault;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.StoreKind;
import io.idem.workshop.child.Point;
import io.idem.workshop.process.Application;
import java.time.Duration;
import java.util.Optional;

/** Holds an application at a step boundary and injects a fault there. */
final class AtBoundary {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The fault for the application that is held; returns when it is over. */
    interface Hurt {
        void act(Application held);
    }

    private AtBoundary() {}

    /** Returns the boundary at which a transaction is open and nothing of the work is written. */
    static Point begun(Blow blow) {
        return blow.stage().store() == StoreKind.INBOX ? Point.WORKING : Point.BEGUN;
    }

    static Optional<FaultRecord> strike(
            FaultClass faultClass, Application application, Point point, String scope, Hurt hurt) {
        application.set(point, scope, "");
        if (!Waiting.until(PATIENCE, application::caught)) {
            application.release();
            return Optional.empty();
        }
        String key = application.caughtKey().orElseThrow();
        long struckAt = System.currentTimeMillis();
        hurt.act(application);
        return Optional.of(new FaultRecord(
                faultClass,
                point + " in " + scope,
                struckAt,
                System.currentTimeMillis(),
                scope,
                key,
                Lane.ofKey(key).id()));
    }
}
