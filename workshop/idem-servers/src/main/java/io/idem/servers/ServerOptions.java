package io.idem.servers;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a caller needs a server to be.
 *
 * <p>{@link #any()} is served by every origin. A server that must be configured, stopped, killed or kept apart is always a
 * process of this JVM's own: nobody restarts a server that somebody else gave.
 *
 * @param exclusive whether it must be the caller's alone, and answer to {@code stop}, {@code start} and {@code kill}
 * @param durable whether what the server acknowledged must survive its being stopped or killed and started again
 * @param settings settings in the server's own words, such as {@code maxmemory-policy} of Redis
 */
public record ServerOptions(boolean exclusive, boolean durable, Map<String, String> settings) {

    /** Keeps a copy of the settings, in their order. */
    public ServerOptions {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        if ((durable || !settings.isEmpty()) && !exclusive) {
            throw new IllegalArgumentException("A durable or configured server must be an own one");
        }
    }

    /** Whichever server comes first in the order of choice, maybe shared with others. */
    public static ServerOptions any() {
        return new ServerOptions(false, false, Map.of());
    }

    /** A server of the caller's own, with default settings, that forgets everything when stopped. */
    public static ServerOptions own() {
        return new ServerOptions(true, false, Map.of());
    }

    /** The same as an own server that keeps its data from stop to start, and forgets it when closed. */
    public ServerOptions keepingData() {
        return new ServerOptions(true, true, settings);
    }

    /** The same as an own server with one more setting. */
    public ServerOptions with(String setting, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(setting, value);
        return new ServerOptions(true, durable, more);
    }
}
