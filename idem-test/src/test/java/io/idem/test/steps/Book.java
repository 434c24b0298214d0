package io.idem.test.steps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The calls and ends of the work under one key, in all processes. Thread-safe. */
final class Book {

    private final Map<String, Map<String, List<String>>> landings = new HashMap<>();
    private final Map<String, Set<String>> returned = new HashMap<>();
    private final Set<String> remembered = new HashSet<>();
    private final List<String> repeated = new ArrayList<>();
    private final List<String> deferred = new ArrayList<>();
    private final List<Stop> kills = new ArrayList<>();

    synchronized String land(String step, String key, String reference) {
        if (remembered.contains(step)) {
            repeated.add(step);
        }
        landings.computeIfAbsent(step, none -> new HashMap<>())
                .computeIfAbsent(key, none -> new ArrayList<>())
                .add(reference);
        return reference;
    }

    /** Returns the reference of what was done first under the key; empty if nothing was. */
    synchronized String find(String step, String key) {
        List<String> found = landings.getOrDefault(step, Map.of()).getOrDefault(key, List.of());
        return found.isEmpty() ? "" : found.get(0);
    }

    synchronized void remembered(String step) {
        remembered.add(step);
    }

    synchronized void returned(String step, String value) {
        returned.computeIfAbsent(step, none -> new HashSet<>()).add(value);
    }

    synchronized void deferred(String how) {
        deferred.add(how);
    }

    synchronized void killed(Stop at) {
        kills.add(at);
    }

    /** Returns how often the provider has acted for the step. */
    synchronized int landings(String step) {
        return landings.getOrDefault(step, Map.of()).values().stream()
                .mapToInt(List::size)
                .sum();
    }

    /** Returns the keys under which the provider has acted for the step. */
    synchronized Set<String> keys(String step) {
        return Set.copyOf(landings.getOrDefault(step, Map.of()).keySet());
    }

    /** Returns the values that the step has returned in all attempts. */
    synchronized Set<String> returned(String step) {
        return Set.copyOf(returned.getOrDefault(step, Set.of()));
    }

    /** Returns the steps for which the provider has acted although they were remembered. */
    synchronized List<String> repeated() {
        return List.copyOf(repeated);
    }

    /** Returns how attempts ended that neither died nor settled the record: a lease was lost, or a step refused. */
    synchronized List<String> deferred() {
        return List.copyOf(deferred);
    }

    /** Returns where processes were killed. */
    synchronized List<Stop> kills() {
        return List.copyOf(kills);
    }

    @Override
    public synchronized String toString() {
        return "landings " + landings + ", remembered " + remembered + ", returned " + returned + ", deferred "
                + deferred + ", kills " + kills;
    }
}
