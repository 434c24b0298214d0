package io.idem.servers;

import java.util.Optional;

/**
 * Starts PostgreSQL servers.
 *
 * <p>Order of choice: {@code IDEM_JDBC_URL} with {@code IDEM_JDBC_USER} and {@code IDEM_JDBC_PASSWORD}, a container,
 * the embedded 18. Installed servers are not used, because the way to start them differs too much between machines.
 */
public final class PostgresServers {

    static final String URL_SETTING = "IDEM_JDBC_URL";

    private PostgresServers() {}

    /**
     * Chooses a server, starts it unless it is a given one, and returns when it accepts clients.
     *
     * <p>Data committed to an own server always survives {@code kill} and {@code start}; with
     * {@link ServerOptions#keepingData()} the server also syncs to disk, as in production. The settings are those of
     * {@code postgresql.conf}. An own server also starts for root, where the kernel allows user namespaces.
     */
    public static RunningPostgres start(ServerOptions options) {
        Environment environment = Environment.ofThisProcess();
        Selection<RunningPostgres> selection = new Selection<>("PostgreSQL", URL_SETTING, environment.allowedOrigins());
        if (!options.exclusive()) {
            selection.or(Origin.GIVEN, () -> given(environment)).or(Origin.CONTAINER, ContainerTier::postgres);
        }
        return selection
                .or(Origin.EMBEDDED, () -> PostgresProgram.embedded().map(program -> program.start(options)))
                .choose();
    }

    static Optional<RunningPostgres> given(Environment environment) {
        String user = environment.value("IDEM_JDBC_USER", "postgres");
        String password = environment.value("IDEM_JDBC_PASSWORD", "");
        return environment.value(URL_SETTING).map(url -> {
            return new RunningPostgres(url, user, password, Origin.GIVEN, ForeignLifecycle.leftAlone());
        });
    }
}
