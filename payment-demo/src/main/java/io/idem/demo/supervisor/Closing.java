package io.idem.demo.supervisor;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The resources of a run, closed once and in reverse order, at the end of the run or on Ctrl-C. Thread-safe. */
final class Closing implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean closed;

    /** Remembers {@code resource}; closes it at once if everything else is closed already. */
    synchronized <T extends AutoCloseable> T add(T resource) {
        if (closed) {
            close(resource);
        } else {
            open.push(resource);
        }
        return resource;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!open.isEmpty()) {
            close(open.pop());
        }
    }

    /** A resource that cannot be closed must not keep the next one open. */
    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            LOG.warn("{} could not be closed", resource, failed);
        }
    }
}
