package io.idem.servers;

import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of an own PostgreSQL. */
final class PostgresSettings {

    private PostgresSettings() {}

    static Map<String, String> of(ServerOptions options) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("unix_socket_directories", "");
        settings.put("timezone", "UTC");
        settings.put("max_connections", "200");
        settings.put("jit", "off");
        // Commits stay synchronous, so a killed server loses no confirmed data. Only a crash of the machine would lose
        // some.
        String sync = options.durable() ? "on" : "off";
        settings.put("fsync", sync);
        settings.put("full_page_writes", sync);
        settings.putAll(options.settings());
        return settings;
    }
}
