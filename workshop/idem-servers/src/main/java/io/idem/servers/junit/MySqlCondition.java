package io.idem.servers.junit;

import io.idem.servers.SharedServers;
import java.util.function.BooleanSupplier;

/** The condition of {@link RequiresMySql}. */
final class MySqlCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_MYSQL";

    MySqlCondition() {
        this(() -> SharedServers.mySql().isPresent(), () -> isSet(INSISTING));
    }

    MySqlCondition(BooleanSupplier available, BooleanSupplier insisting) {
        super(
                "MySQL",
                "run the profile extended where its program finds libaio, or set IDEM_MYSQL_URL to one",
                INSISTING,
                available,
                insisting);
    }
}
