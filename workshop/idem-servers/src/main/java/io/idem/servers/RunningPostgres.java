package io.idem.servers;

/** A PostgreSQL that accepts clients. */
public final class RunningPostgres extends RunningDatabase {

    RunningPostgres(String jdbcUrl, String user, String password, Origin origin, Lifecycle lifecycle) {
        super("PostgreSQL", jdbcUrl, user, password, origin, lifecycle);
    }
}
