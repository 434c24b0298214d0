package io.idem.servers;

/** A MariaDB that accepts clients. */
public final class RunningMariaDb extends RunningDatabase {

    RunningMariaDb(String jdbcUrl, String user, String password, Origin origin, Lifecycle lifecycle) {
        super("MariaDB", jdbcUrl, user, password, origin, lifecycle);
    }
}
