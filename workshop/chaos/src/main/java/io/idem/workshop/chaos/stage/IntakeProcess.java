package io.idem.workshop.chaos.stage;

import io.idem.servers.process.FreePorts;
import io.idem.workshop.chaos.worker.ChaosIntakeMain;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.ClassArchive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The intake, which keeps its port when it is killed and replaced. Thread-safe. */
public final class IntakeProcess implements AutoCloseable {

    private static final String KIND = "chaos-intake";

    private final Map<String, String> settings;
    private final List<String> jvmArguments;
    private final ClassArchive classes;
    private final int port = FreePorts.next();
    private Application current;

    IntakeProcess(Map<String, String> settings, List<String> jvmArguments) {
        this.settings = new LinkedHashMap<>(settings);
        this.settings.put("server.port", Integer.toString(port));
        this.jvmArguments = jvmArguments;
        this.classes = ClassArchive.named(KIND).madeBy(ChaosIntakeMain.class, jvmArguments, this.settings);
        current = start();
    }

    private Application start() {
        List<String> all = new ArrayList<>(jvmArguments);
        all.addAll(classes.arguments());
        return Application.start(KIND, ChaosIntakeMain.class, all, settings);
    }

    /** Returns an HTTP client of the intake. */
    public HttpProbe http() {
        return new HttpProbe(port);
    }

    /** Returns the current process of the intake; blocks until it is up. */
    public Application up() {
        Application application = current();
        ClassArchive.awaitUp(application);
        return application;
    }

    /** Returns the current process of the intake, whether it is up or not. */
    synchronized Application current() {
        return current;
    }

    /** Kills the intake with SIGKILL and starts its successor; returns before that is up. */
    public synchronized void kill() {
        current.process().kill9();
        current = start();
    }

    /** Clears all failpoints. */
    public void heal() {
        up().release();
    }

    @Override
    public synchronized void close() {
        current.close();
    }
}
