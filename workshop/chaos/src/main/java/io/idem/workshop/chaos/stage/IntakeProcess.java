package io.idem.workshop.chaos.stage;

import io.idem.servers.process.FreePorts;
import io.idem.workshop.chaos.worker.ChaosIntakeMain;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.process.Application;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The intake: always at the same port, however often it is killed. Thread-safe. */
public final class IntakeProcess implements AutoCloseable {

    private final Map<String, String> settings;
    private final ClassArchive classes;
    private final int port = FreePorts.next();
    private Application current;

    IntakeProcess(Map<String, String> settings) {
        this.settings = new LinkedHashMap<>(settings);
        this.settings.put("server.port", Integer.toString(port));
        this.classes = new ClassArchive("chaos-intake", ChaosIntakeMain.class).made(this.settings);
        current = start();
    }

    private Application start() {
        return classes.start(List.of(), settings);
    }

    /** A client of it. */
    public HttpProbe http() {
        return new HttpProbe(port);
    }

    /** The process that is the intake just now; returns when it is up. */
    public Application up() {
        Application application = current();
        ClassArchive.awaitUp(application);
        return application;
    }

    /** The process that is the intake just now, up or not. */
    synchronized Application current() {
        return current;
    }

    /** SIGKILL, and a successor; returns before that is up. */
    public synchronized void kill() {
        current.process().kill9();
        current = start();
    }

    /** No trap is set any more. */
    public void heal() {
        up().release();
    }

    @Override
    public synchronized void close() {
        current.close();
    }
}
