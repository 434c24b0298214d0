package io.idem.workshop.chaos.stage;

import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.worker.ChaosWorkerMain;
import io.idem.workshop.chaos.worker.StoreKind;
import io.idem.workshop.process.Application;
import io.idem.workshop.process.ClassArchive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The workers. A worker that was killed or ended is replaced at once. Thread-safe. */
public final class Crew implements AutoCloseable {

    private static final Duration UP_WITHIN = Duration.ofMinutes(5);

    /** Number of workers: two go on while one is being replaced. */
    public static final int SIZE = 3;

    private final Map<String, String> settings;
    private final List<String> jvmArguments;
    private final String kind;
    private final ClassArchive classes;
    private final List<Long> startUps = new ArrayList<>();
    private final List<Death> deaths = new ArrayList<>();
    private final List<Application> workers = new ArrayList<>();

    /**
     * Creates a crew without workers.
     *
     * @param jvmArguments arguments of their JVMs
     * @param withoutFlaw the arguments without a flaw, with which the archive of classes is made
     */
    Crew(Map<String, String> settings, List<String> jvmArguments, List<String> withoutFlaw, StoreKind store) {
        this.settings = new LinkedHashMap<>(settings);
        this.jvmArguments = jvmArguments;
        this.kind = "chaos-worker-" + store.id();
        this.classes = ClassArchive.named(kind).madeBy(ChaosWorkerMain.class, withoutFlaw, this.settings);
    }

    /** Starts missing workers; returns before they are up. */
    public synchronized void fill() {
        while (workers.size() < SIZE) {
            List<String> all = new ArrayList<>(jvmArguments);
            all.addAll(classes.arguments());
            workers.add(Application.start(kind, ChaosWorkerMain.class, all, settings));
        }
    }

    /** Returns the current workers. */
    public synchronized List<Application> all() {
        return List.copyOf(workers);
    }

    private synchronized List<Application> up() {
        return workers.stream().filter(Application::isUp).toList();
    }

    /**
     * Returns a random worker that is up, as soon as at least two are.
     *
     * @throws IllegalStateException if a worker ended by itself
     */
    public Application any(Random random) {
        awaitUp(Math.min(2, SIZE));
        List<Application> up = up();
        return up.get(random.nextInt(up.size()));
    }

    /** Returns a random worker that is up, other than {@code spared}, as soon as at least two are. */
    public Application anyBut(Application spared, Random random) {
        Application found = any(random);
        while (found.equals(spared)) {
            found = any(random);
        }
        return found;
    }

    /** Returns when all workers are up. */
    public void awaitAllUp() {
        awaitUp(SIZE);
    }

    private void awaitUp(int number) {
        boolean reached = Waiting.until(UP_WITHIN, () -> {
            requireAlive();
            return up().size() >= number;
        });
        if (!reached) {
            throw new IllegalStateException("Not " + number + " of " + workers + " are up within " + UP_WITHIN);
        }
    }

    private synchronized void requireAlive() {
        for (Application worker : workers) {
            if (!worker.process().isAlive()) {
                throw new IllegalStateException(
                        worker + " ended by itself:\n" + worker.process().lastOutput());
            }
        }
    }

    /** Kills a worker with SIGKILL and starts its successor. */
    public synchronized void kill(Application worker) {
        leaves(worker);
        worker.process().kill9();
        deaths.add(new Death(worker.process().pid(), System.currentTimeMillis()));
        fill();
    }

    /** Ends a worker with SIGTERM; returns when it has ended and its successor starts. */
    public void end(Application worker) {
        leaves(worker);
        worker.close();
        fill();
    }

    /**
     * Ends all workers with SIGTERM; returns when they have ended. Starts no successors before the next
     * {@link #fill()}.
     */
    public void endAll() {
        List<Application> all;
        synchronized (this) {
            all = List.copyOf(workers);
            all.forEach(this::leaves);
        }
        all.parallelStream().forEach(Application::close);
    }

    private synchronized void leaves(Application worker) {
        workers.remove(worker);
        worker.startUpMillis().ifPresent(startUps::add);
    }

    /** Returns the kills of workers in their order. */
    public synchronized List<Death> deaths() {
        return List.copyOf(deaths);
    }

    /** Returns the start-up times of former workers in milliseconds. */
    public synchronized List<Long> startUps() {
        return List.copyOf(startUps);
    }

    /** Resumes stopped workers, clears all failpoints and starts missing workers. */
    public synchronized void heal() {
        workers.stream().filter(Application::isUp).forEach(worker -> {
            worker.process().sigcont();
            worker.release();
        });
        fill();
    }

    @Override
    public void close() {
        endAll();
    }
}
