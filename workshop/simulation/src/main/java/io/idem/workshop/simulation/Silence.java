package io.idem.workshop.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Turns off logging until it is closed: a run has its own trace, and the faults would cause millions of warnings. */
final class Silence implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();

    Silence() {
        root.setLevel(Level.OFF);
    }

    @Override
    public void close() {
        root.setLevel(before);
    }
}
