package io.idem.workshop.process;

import static io.idem.workshop.process.Waiting.waitUntil;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import io.idem.workshop.child.Point;
import io.idem.workshop.child.WorkerMain;
import io.idem.workshop.outside.RecordProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two equal workers that compete for messages. A killed worker is replaced. Not thread-safe. */
public final class Team implements AutoCloseable {

    private static final int SIZE = 2;

    private final String name;
    private final Map<String, String> settings;
    private final List<Application> workers = new ArrayList<>();
    private final List<Application> killed = new ArrayList<>();

    Team(String name, String profiles, Map<String, String> settings) {
        this.name = name;
        this.settings = settings(profiles, settings);
    }

    /** Returns the settings of a worker with these profiles. */
    static Map<String, String> settings(String profiles, Map<String, String> common) {
        Map<String, String> all = new LinkedHashMap<>(common);
        all.put("spring.profiles.active", profiles);
        return all;
    }

    private void start() {
        while (workers.size() < SIZE) {
            workers.add(Application.start(name, WorkerMain.class, settings));
        }
    }

    /** Returns when all workers are up, none is stopped and no trap is set. */
    public Team ready() {
        start();
        for (Application worker : workers) {
            worker.process().sigcont();
            worker.release();
        }
        return this;
    }

    /** Sets a trap for the first worker that passes the point with the key; an empty key stands for any. */
    public void trap(Point point, String scope, String key) {
        workers.forEach(worker -> worker.set(point, scope, key));
    }

    /** Waits for a worker to be stopped at the point, and returns it. The other workers are not stopped from now on. */
    public Application caught() {
        waitUntil("one of " + workers + " is caught")
                .until(() -> workers.stream().anyMatch(Application::caught));
        Application caught =
                workers.stream().filter(Application::caught).findFirst().orElseThrow();
        workers.stream().filter(worker -> worker != caught).forEach(Application::release);
        return caught;
    }

    /** Kills a worker with SIGKILL and starts a new one; returns before that is up. */
    public void kill(Application worker) {
        worker.process().kill9();
        workers.remove(worker);
        killed.add(worker);
        start();
    }

    /** Returns the events that all workers, including killed ones, logged for a key of tenant north in a scope. */
    public List<WorkerEvent> log(String scope, String key) {
        String id = RecordProbe.keyId(Tenant.NORTH.name(), key);
        return events(event -> event.scope().equals(scope) && event.key().equals(id));
    }

    /** Returns how often the store gave this answer to a worker that did not get the key. */
    public long answered(String scope, String key, String answer) {
        return log(scope, key).stream()
                .filter(event -> event.what() == What.ANSWERED && event.detail().equals(answer))
                .count();
    }

    /** Returns when a worker has logged this event for a key of tenant north. */
    public void awaitLogged(String scope, String key, What what) {
        waitUntil(what + " is logged of " + key)
                .until(() -> log(scope, key).stream().anyMatch(event -> event.what() == what));
    }

    /** Returns when a worker has taken over a key of tenant north after its lease. */
    public void awaitTakeover(String scope, String key) {
        waitUntil(key + " is taken over")
                .until(() -> log(scope, key).stream()
                        .anyMatch(event ->
                                event.what() == What.GRANTED && event.detail().equals("TAKEOVER")));
    }

    /** Returns the output of all workers, including killed ones. */
    public String output() {
        return Stream.concat(killed.stream(), workers.stream())
                .map(Application::output)
                .collect(Collectors.joining("\n"));
    }

    private List<WorkerEvent> events(Predicate<WorkerEvent> which) {
        List<WorkerEvent> found = new ArrayList<>();
        killed.forEach(worker -> found.addAll(worker.events(which)));
        workers.forEach(worker -> found.addAll(worker.events(which)));
        return List.copyOf(found);
    }

    @Override
    public void close() {
        workers.parallelStream().forEach(Application::close);
        workers.clear();
    }
}
