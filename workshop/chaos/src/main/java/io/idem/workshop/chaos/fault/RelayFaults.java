package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.PlantedRows;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import java.util.List;

/** Faults of what the relay of an outbox finds. The messages are copies of accepted ones, so they must have no effect. */
final class RelayFaults {

    private static final int COPIES = 20;

    private RelayFaults() {}

    /** Leaves rows that no broker takes, and good ones behind them, which must leave. */
    static String badDestination(Blow blow, Lane lane) {
        return leave(blow, lane, Names.FIRST_TENANT, true);
    }

    /** Leaves rows in the database of a tenant for whom no worker works. */
    static String tenants(Blow blow, Lane lane) {
        return leave(blow, lane, Names.SECOND_TENANT, blow.number() % 2 == 1);
    }

    private static String leave(Blow blow, Lane lane, String schema, boolean bad) {
        PlantedRows rows = blow.stage().backends().plantedRows();
        if (bad) {
            rows.bad(schema);
        }
        List<String> keys = blow.load().lastAccepted(lane, COPIES);
        keys.forEach(key -> rows.good(schema, lane, key));
        rows.awaitGood(schema);
        return keys.size() + " rows of " + lane.id() + (bad ? " behind three bad ones" : "");
    }
}
