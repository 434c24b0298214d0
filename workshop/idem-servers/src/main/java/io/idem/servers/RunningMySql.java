package io.idem.servers;

/** A MySQL that accepts clients. */
public final class RunningMySql extends RunningDatabase {

    RunningMySql(String jdbcUrl, String user, String password, Origin origin, Lifecycle lifecycle) {
        super("MySQL", jdbcUrl, user, password, origin, lifecycle);
    }
}
