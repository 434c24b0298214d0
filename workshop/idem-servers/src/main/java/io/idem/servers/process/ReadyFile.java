package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file by which a child reports to its parent that it serves clients: the child creates it. */
public record ReadyFile(Path path) {

    private static final String SETTING = "idem.ready.file";

    /** Returns the JVM option that tells a child the path of the file. */
    public String jvmArgument() {
        return "-D" + SETTING + "=" + path;
    }

    /** Deletes the file of a predecessor. Called by the parent. */
    public void clear() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove " + path, e);
        }
    }

    /** Returns whether the child is ready. Called by the parent. */
    public boolean exists() {
        return Files.exists(path);
    }

    /** Creates the file if the parent asked for it. Called by the child. */
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
