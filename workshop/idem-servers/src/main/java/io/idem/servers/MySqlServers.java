package io.idem.servers;

import java.util.Optional;

/**
 * Starts MySQL servers.
 *
 * <p>Order of choice: {@code IDEM_MYSQL_URL} with {@code IDEM_MYSQL_USER} and {@code IDEM_MYSQL_PASSWORD}, a container,
 * an installed {@code mysqld} of version 8 or newer, the program of a jar on the class path. The jar is large, so
 * modules that use it add it to their own extended tests. Its program needs libaio and libnuma, from the machine or from
 * the directory that {@code IDEM_MYSQL_LIBRARIES} names; without them there is none.
 */
public final class MySqlServers {

    static final String URL_SETTING = "IDEM_MYSQL_URL";

    private MySqlServers() {}

    /**
     * Chooses a server, starts it unless it is a given one, and returns when it accepts clients. The settings are those
     * of the server's command line, without dashes.
     */
    public static RunningMySql start(ServerOptions options) {
        return selection(options).choose();
    }

    /**
     * Returns the MySQL of this JVM, for tests; empty if there is none. It is the same server as
     * {@link SharedServers#mySql()}.
     */
    static Optional<RunningMySql> find() {
        return selection(ServerOptions.any()).chooseIfAny();
    }

    private static Selection<RunningMySql> selection(ServerOptions options) {
        Environment environment = Environment.ofThisProcess();
        Selection<RunningMySql> selection = new Selection<>("MySQL", URL_SETTING, environment.allowedOrigins());
        if (!options.exclusive()) {
            selection.or(Origin.GIVEN, () -> given(environment)).or(Origin.CONTAINER, () -> ContainerTier.mySql());
        }
        return selection
                .or(Origin.INSTALLED, () -> MySqlProgram.installed().map(program -> program.start(options)))
                .or(Origin.EMBEDDED, () -> MySqlProgram.embedded(environment).map(program -> program.start(options)));
    }

    static Optional<RunningMySql> given(Environment environment) {
        String user = environment.value("IDEM_MYSQL_USER", "root");
        String password = environment.value("IDEM_MYSQL_PASSWORD", "");
        return environment.value(URL_SETTING).map(url -> {
            return new RunningMySql(url, user, password, Origin.GIVEN, ForeignLifecycle.leftAlone());
        });
    }
}
