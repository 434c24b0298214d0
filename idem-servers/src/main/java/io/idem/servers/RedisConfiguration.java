package io.idem.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        // Its command line must go on naming the run directory: by that the watchdog knows it.
        settings.put("set-proc-title", "no");
        settings.putAll(options.settings());
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
