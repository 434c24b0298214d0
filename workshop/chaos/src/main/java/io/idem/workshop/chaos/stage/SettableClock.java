package io.idem.workshop.chaos.stage;

import io.idem.servers.process.Programs;
import io.idem.servers.process.RunDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A settable wall clock for dynamically linked programs. A preloaded library adds an offset from a file to the time of
 * the C library. Thread-safe.
 */
public final class SettableClock {

    private static final String COMPILER = "cc";
    private static final String SOURCE = "/chaos-clock.c";

    private final Path library;
    private final Path shift;

    private SettableClock(Path library, Path shift) {
        this.library = library;
        this.shift = shift;
    }

    /** Returns why the clock cannot be built on this machine; empty if it can. */
    public static Optional<String> hindrance() {
        boolean linux = "Linux".equals(System.getProperty("os.name"));
        return linux && Programs.find(COMPILER).isPresent()
                ? Optional.empty()
                : Optional.of("no Linux with a C compiler here");
    }

    /** Builds a clock that shows the right time. */
    public static SettableClock make() {
        Path directory = RunDirectory.ofThisJvm().newDirectory("clock");
        try (InputStream source = Objects.requireNonNull(SettableClock.class.getResourceAsStream(SOURCE))) {
            Path code = directory.resolve("clock.c");
            Files.copy(source, code);
            Path library = directory.resolve("clock.so");
            compile(code, library);
            return new SettableClock(library, Files.write(directory.resolve("shift"), new byte[Long.BYTES]));
        } catch (IOException e) {
            throw new UncheckedIOException("No clock in " + directory, e);
        }
    }

    private static void compile(Path code, Path library) throws IOException {
        Process compiler = new ProcessBuilder(
                        COMPILER, "-shared", "-fPIC", "-O2", "-o", library.toString(), code.toString())
                .inheritIO()
                .start();
        if (compiler.onExit().join().exitValue() != 0) {
            throw new IOException(COMPILER + " does not compile " + SOURCE);
        }
    }

    /** Returns the environment variables of a program that uses this clock. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "IDEM_CHAOS_CLOCK", shift.toString());
    }

    /**
     * Sets the offset: the clock is ahead by this many milliseconds, or behind if they are negative, or right with 0.
     */
    public void shift(long millis) {
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        value.putLong(0, millis);
        try (FileChannel file = FileChannel.open(shift, StandardOpenOption.WRITE)) {
            file.write(value);
        } catch (IOException e) {
            throw new UncheckedIOException("The clock cannot be set", e);
        }
    }
}
