package io.idem.servers;

import io.idem.servers.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the {@code redis.conf} of an own Redis. */
final class RedisConfiguration {

    private RedisConfiguration() {}

    static Path write(Path directory, int port, ServerOptions options) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("bind", "127.0.0.1");
        settings.put("port", Integer.toString(port));
        settings.put("dir", directory.toString());
        settings.put("save", "");
        settings.put("appendonly", options.durable() ? "yes" : "no");
        settings.put("appendfsync", options.durable() ? "always" : "no");
        // The command line must contain the run directory, by which the watchdog recognises the process.
        settings.put("set-proc-title", "no");
        if (options.settings().containsKey("cluster-enabled")) {
            // The default, 10,000 above, may lie in the range of the ports of outgoing connections.
            settings.put("cluster-port", Integer.toString(FreePorts.next()));
        }
        settings.putAll(options.settings());
        return write(directory, settings);
    }

    /**
     * Writes the configuration of a Sentinel that watches a master. The Sentinel rewrites the file with its findings.
     */
    static Path writeSentinel(Path directory, int port, String name, int master) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("bind", "127.0.0.1");
        settings.put("port", Integer.toString(port));
        settings.put("dir", directory.toString());
        settings.put("set-proc-title", "no");
        Path file = write(directory, settings);
        List<String> watching = List.of(
                "sentinel monitor " + name + " 127.0.0.1 " + master + " 2",
                "sentinel down-after-milliseconds " + name + " 1000",
                "sentinel failover-timeout " + name + " 5000",
                "sentinel parallel-syncs " + name + " 8");
        return append(file, watching);
    }

    private static Path append(Path file, List<String> lines) {
        try {
            return Files.write(file, lines, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot configure a Sentinel in " + file, e);
        }
    }

    private static Path write(Path directory, Map<String, String> settings) {
        List<String> lines = settings.entrySet().stream()
                .map(setting -> setting.getKey() + " " + quoted(setting.getValue()))
                .toList();
        try {
            return Files.write(directory.resolve("redis.conf"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot configure Redis in " + directory, e);
        }
    }

    private static String quoted(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
