package io.idem.servers;

import java.util.Optional;

/**
 * Starts MariaDB servers.
 *
 * <p>Order of choice: {@code IDEM_MARIADB_URL} with {@code IDEM_MARIADB_USER} and {@code IDEM_MARIADB_PASSWORD}, a
 * container, an installed {@code mariadbd}, the program of a jar on the class path. The jar is large, so modules that
 * use it add it to their own tests.
 */
public final class MariaDbServers {

    static final String URL_SETTING = "IDEM_MARIADB_URL";

    private MariaDbServers() {}

    /**
     * Chooses a server, starts it unless it is a given one, and returns when it accepts clients. The settings are those
     * of the server's command line, without dashes.
     */
    public static RunningMariaDb start(ServerOptions options) {
        return selection(options).choose();
    }

    /**
     * Returns the MariaDB of this JVM, for tests; empty if there is none. It is the same server as
     * {@link SharedServers#mariaDb()}.
     */
    static Optional<RunningMariaDb> find() {
        return selection(ServerOptions.any()).chooseIfAny();
    }

    private static Selection<RunningMariaDb> selection(ServerOptions options) {
        Environment environment = Environment.ofThisProcess();
        Selection<RunningMariaDb> selection = new Selection<>("MariaDB", URL_SETTING, environment.allowedOrigins());
        if (!options.exclusive()) {
            selection.or(Origin.GIVEN, () -> given(environment)).or(Origin.CONTAINER, () -> ContainerTier.mariaDb());
        }
        return selection
                .or(Origin.INSTALLED, () -> MariaDbProgram.installed().map(program -> program.start(options)))
                .or(Origin.EMBEDDED, () -> MariaDbProgram.embedded().map(program -> program.start(options)));
    }

    static Optional<RunningMariaDb> given(Environment environment) {
        String user = environment.value("IDEM_MARIADB_USER", "root");
        String password = environment.value("IDEM_MARIADB_PASSWORD", "");
        return environment.value(URL_SETTING).map(url -> {
            return new RunningMariaDb(url, user, password, Origin.GIVEN, ForeignLifecycle.leftAlone());
        });
    }
}
