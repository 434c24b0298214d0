package io.idem.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs of a long test whose result depends on nothing else. A green run writes their digest to a file that is committed.
 * While it holds, the test need not run again, unless {@code -Didem.checked.again=true} asks for it. Thread-safe.
 */
public final class CheckedInputs {

    private final Path file;
    private final String digest;

    private CheckedInputs(Path file, String digest) {
        this.file = file;
        this.digest = digest;
    }

    /**
     * Reads the inputs.
     *
     * @param file keeps the digest
     * @param inputs files, and directories with all that is in them
     */
    public static CheckedInputs of(Path file, List<Path> inputs) {
        try {
            MessageDigest all = MessageDigest.getInstance("SHA-256");
            for (Path input : inputs) {
                try (Stream<Path> files = Files.walk(input)) {
                    for (Path one : files.filter(Files::isRegularFile).sorted().toList()) {
                        all.update(input.relativize(one).toString().getBytes(StandardCharsets.UTF_8));
                        all.update(Files.readAllBytes(one));
                    }
                }
            }
            return new CheckedInputs(file, HexFormat.of().formatHex(all.digest()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Inputs of a test cannot be read: " + inputs, unreadable);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256", impossible);
        }
    }

    private boolean wereGreen() {
        try {
            return Files.exists(file) && Files.readString(file).trim().equals(digest);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The digest of a test cannot be read: " + file, unreadable);
        }
    }

    /** Returns whether the test is to run. */
    public boolean areToBeChecked() {
        return !wereGreen() || Boolean.getBoolean("idem.checked.again");
    }

    /** Notes that the test is green with these inputs. */
    public void green() {
        try {
            Files.writeString(file, digest + "\n");
        } catch (IOException failed) {
            throw new UncheckedIOException("The digest of a test cannot be written: " + file, failed);
        }
    }
}
