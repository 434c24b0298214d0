package io.idem.servers;

/** A MariaDB that accepts clients. */
public final class RunningMariaDb extends RunningServer {

    private final String jdbcUrl;
    private final String user;
    private final String password;

    RunningMariaDb(String jdbcUrl, String user, String password, Origin origin, Lifecycle lifecycle) {
        super(origin, lifecycle);
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
    }

    /** Names host and port, and a database where one was given; but no user. */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** A user who may create databases. */
    public String user() {
        return user;
    }

    /** An own server trusts every loopback client and takes any password. */
    public String password() {
        return password;
    }

    @Override
    public String description() {
        return "MariaDB at " + jdbcUrl.replaceFirst("[?].*", "");
    }
}
