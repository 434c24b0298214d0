package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How a child says to its parent that it now serves: a file appears. */
public record ReadyFile(Path path) {

    private static final String SETTING = "idem.ready.file";

    /** The JVM option that tells a child about it. */
    public String jvmArgument() {
        return "-D" + SETTING + "=" + path;
    }

    /** Parent: takes back what a predecessor said. */
    public void clear() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove " + path, e);
        }
    }

    /** Parent: whether the child has said it. */
    public boolean exists() {
        return Files.exists(path);
    }

    /** Child: says it, if its parent wants to know. */
    public static void announce() {
        String path = System.getProperty(SETTING);
        if (path == null) {
            return;
        }
        try {
            Files.createFile(Path.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot announce readiness in " + path, e);
        }
    }
}
