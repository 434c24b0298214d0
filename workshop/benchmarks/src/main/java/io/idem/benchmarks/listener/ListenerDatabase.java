package io.idem.benchmarks.listener;

import io.idem.benchmarks.Servers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RunningPostgres;
import io.idem.servers.ServerOptions;
import java.util.HashMap;
import java.util.Map;

/** A PostgreSQL that syncs to disk, for listeners whose work writes a row. Their records are in the inbox alone. */
final class ListenerDatabase implements AutoCloseable {

    private final RunningPostgres server =
            PostgresServers.start(ServerOptions.own().keepingData());

    /** Returns the settings of an application with this database and without Redis. */
    Map<String, Object> settings(Servers servers) {
        Map<String, Object> settings = new HashMap<>(servers.settingsWithDatabase());
        settings.remove(Servers.REDIS_URL);
        settings.put("spring.datasource.url", server.jdbcUrl());
        settings.put("spring.datasource.username", server.user());
        settings.put("spring.datasource.password", server.password());
        settings.put("idem.store", "inbox");
        settings.put("idem.jdbc.initialize-schema", "always");
        return settings;
    }

    @Override
    public void close() {
        server.close();
    }
}
