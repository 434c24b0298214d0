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

/** Two equal workers that compete for the same messages. A killed one is replaced. Not thread-safe. */
public final class Team implements AutoCloseable {

    private static final int SIZE = 2;

    private final String name;
    private final Map<String, String> settings;
    private final List<Application> workers = new ArrayList<>();
    private final List<Application> killed = new ArrayList<>();

    Team(String name, String profiles, Map<String, String> settings) {
        this.name = name;
        this.settings = new LinkedHashMap<>(settings);
        this.settings.put("spring.profiles.active", profiles);
    }

    void start() {
        while (workers.size() < SIZE) {
            workers.add(Application.start(name, WorkerMain.class, settings));
        }
    }

    /** Returns when all are up, none is stopped and no trap is set. */
    public Team ready() {
        start();
        for (Application worker : workers) {
            worker.process().sigcont();
            worker.release();
        }
        return this;
    }

    /** Whoever passes the point first with the key, stops there; an empty key is any key. */
    public void trap(Point point, String scope, String key) {
        workers.forEach(worker -> worker.set(point, scope, key));
    }

    /** Returns the worker that stands at the point, when one does. The others may pass from now on. */
    public Application caught() {
        waitUntil("one of " + workers + " is caught")
                .until(() -> workers.stream().anyMatch(Application::caught));
        Application caught =
                workers.stream().filter(Application::caught).findFirst().orElseThrow();
        workers.stream().filter(worker -> worker != caught).forEach(Application::release);
        return caught;
    }

    /** SIGKILL, and a new one instead; returns before that is up. */
    public void kill(Application worker) {
        worker.process().kill9();
        workers.remove(worker);
        killed.add(worker);
        start();
    }

    /** Returns the events that all of them logged for a key of tenant north in a scope, including the killed ones. */
    public List<WorkerEvent> log(String scope, String key) {
        String id = RecordProbe.keyId(Tenant.NORTH.name(), key);
        return events(event -> event.scope().equals(scope) && event.key().equals(id));
    }

    /** Returns how often the key was refused to one of them with this answer of the store. */
    public long answered(String scope, String key, String answer) {
        return log(scope, key).stream()
                .filter(event -> event.what() == What.ANSWERED && event.detail().equals(answer))
                .count();
    }

    /** Returns when one of them has logged that of a key of tenant north. */
    public void awaitLogged(String scope, String key, What what) {
        waitUntil(what + " is logged of " + key)
                .until(() -> log(scope, key).stream().anyMatch(event -> event.what() == what));
    }

    /** Returns when one of them was granted a key of tenant north whose owner had let its lease lapse. */
    public void awaitTakeover(String scope, String key) {
        waitUntil(key + " is taken over")
                .until(() -> log(scope, key).stream()
                        .anyMatch(event ->
                                event.what() == What.GRANTED && event.detail().equals("TAKEOVER")));
    }

    /** Returns the output of all of them, including the killed ones. */
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
