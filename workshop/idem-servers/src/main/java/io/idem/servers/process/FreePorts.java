package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports of the loopback address, each for one JVM only.
 *
 * <p>They lie below the range from which Linux and macOS take the ports of outgoing connections, so that the port of a
 * stopped server is free when it starts again. A port stays with the JVM that chose it until that JVM ends: the JVM
 * locks one byte, at the number of the port, in a file that all JVMs of this user share.
 */
public final class FreePorts {

    private static final int FIRST = 12_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /** Returns a port that nobody listens on and that no call of this method has returned to a running JVM. */
    public static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (claim(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + FIRST + " and " + END + " on the loopback address");
    }

    /** Returns whether the port now belongs to this JVM; false if it already belonged to this or another JVM. */
    static boolean claim(int port) {
        try {
            FileLock lock = OfThisJvm.FILE.tryLock(port, 1, false);
            return lock != null && OfThisJvm.LOCKS.add(lock);
        } catch (OverlappingFileLockException ofThisJvm) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot lock port " + port, e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static final class OfThisJvm {

        /** Never closed, since the system would drop all locks of this JVM on the file. */
        static final FileChannel FILE = open();

        /** Never released. A lock that is garbage no longer keeps its own JVM from taking the port again. */
        static final Queue<FileLock> LOCKS = new ConcurrentLinkedQueue<>();

        private static FileChannel open() {
            Path file = RunDirectory.ofThisJvm().ports();
            try {
                return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot open " + file, e);
            }
        }
    }
}
