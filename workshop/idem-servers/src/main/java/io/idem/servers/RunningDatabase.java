package io.idem.servers;

/** A database that accepts JDBC clients. */
public abstract sealed class RunningDatabase extends RunningServer
        permits RunningMariaDb, RunningMySql, RunningPostgres {

    private final String product;
    private final String jdbcUrl;
    private final String user;
    private final String password;

    RunningDatabase(String product, String jdbcUrl, String user, String password, Origin origin, Lifecycle lifecycle) {
        super(origin, lifecycle);
        this.product = product;
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
    }

    /** Returns the URL with host, port and, if there is one, database, but without a user. */
    public final String jdbcUrl() {
        return jdbcUrl;
    }

    /** Returns a user who may create tables and, in an own server, databases. */
    public final String user() {
        return user;
    }

    /** Returns the user's password. An own PostgreSQL or MariaDB accepts any password from a loopback client. */
    public final String password() {
        return password;
    }

    @Override
    public final String description() {
        return product + " at " + jdbcUrl.replaceFirst("[?].*", "");
    }
}
