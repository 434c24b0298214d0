package io.idem.servers;

/** A PostgreSQL that accepts clients. */
public final class RunningPostgres extends RunningServer {

    private final String jdbcUrl;
    private final String user;
    private final String password;

    RunningPostgres(String jdbcUrl, String user, String password, Origin origin, Lifecycle lifecycle) {
        super(origin, lifecycle);
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
    }

    /** Names host, port and database, but no user. */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** A user who may create tables, schemas and, in an own server, databases. */
    public String user() {
        return user;
    }

    /** An own server trusts every loopback client and takes any password. */
    public String password() {
        return password;
    }

    @Override
    public String description() {
        return "PostgreSQL at " + jdbcUrl.replaceFirst("[?].*", "");
    }
}
