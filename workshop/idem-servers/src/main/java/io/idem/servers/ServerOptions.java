package io.idem.servers;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The requirements of a caller on a server.
 *
 * <p>{@link #any()} is served by every origin. A server that must be configured, stopped, killed or kept apart is
 * always an own process of this JVM, because given servers are never restarted.
 *
 * @param exclusive whether the server must be the caller's alone, and support {@code stop}, {@code start} and
 *     {@code kill}
 * @param durable whether acknowledged data must survive a stop or kill and the next start
 * @param settings settings by the server's own names, such as {@code maxmemory-policy} of Redis
 */
public record ServerOptions(boolean exclusive, boolean durable, Map<String, String> settings) {

    /** Copies the settings and keeps their order. */
    public ServerOptions {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        if ((durable || !settings.isEmpty()) && !exclusive) {
            throw new IllegalArgumentException("A durable or configured server must be an own one");
        }
    }

    /** Returns options for the first server in the order of choice, which may be shared. */
    public static ServerOptions any() {
        return new ServerOptions(false, false, Map.of());
    }

    /** Returns options for an own server with default settings that loses its data when stopped. */
    public static ServerOptions own() {
        return new ServerOptions(true, false, Map.of());
    }

    /**
     * Returns options for an own server with these settings that keeps its data from stop to start, and deletes it when
     * closed.
     */
    public ServerOptions keepingData() {
        return new ServerOptions(true, true, settings);
    }

    /** Returns options for an own server with one more setting. */
    public ServerOptions with(String setting, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(setting, value);
        return new ServerOptions(true, durable, more);
    }
}
