package io.idem.model.trace;

import io.idem.workshop.simulation.kernel.TraceEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The steps of one record in the order of its store.
 *
 * @param run the run and how to repeat it
 * @param inbox whether work uses an inbox
 */
record Trace(String run, boolean inbox, List<TraceEvent> events) {

    /** Answers after which nothing of an acquire is left. */
    private static final Set<String> WAITING = Set.of("INPROGRESS", "NOTYET");

    private static final String WHO_WAITS = "o0";

    /** Returns the traces of a run, one for each record. */
    static List<Trace> of(String run, boolean inbox, List<TraceEvent> events) {
        Map<String, List<TraceEvent>> byKey = events.stream()
                .collect(Collectors.groupingBy(TraceEvent::key, LinkedHashMap::new, Collectors.toList()));
        return byKey.values().stream().map(each -> new Trace(run, inbox, each)).toList();
    }

    /** Returns the trace up to an event that has another answer instead, after which the record may be anything. */
    Trace endingWith(int index, String answer) {
        List<TraceEvent> changed = new ArrayList<>(events.subList(0, index));
        TraceEvent last = events.get(index);
        changed.add(new TraceEvent(
                last.time(),
                last.key(),
                last.step(),
                last.owner(),
                last.fence(),
                answer,
                last.due(),
                "",
                last.recordFence(),
                last.attempts()));
        return new Trace(run, inbox, changed);
    }

    String key() {
        return events.get(0).key();
    }

    /**
     * Returns the names of the attempts in the model, in the order in which they appear. Those that never got beyond waiting
     * share one, because every state of the model has all of them.
     */
    Map<String, String> owners() {
        Set<String> busy = events.stream()
                .filter(event -> !event.owner().isEmpty() && !WAITING.contains(event.answer()))
                .map(TraceEvent::owner)
                .collect(Collectors.toSet());
        Map<String, String> names = new LinkedHashMap<>();
        for (TraceEvent event : events) {
            if (!event.owner().isEmpty()) {
                names.computeIfAbsent(
                        event.owner(), owner -> busy.contains(owner) ? "o" + (names.size() + 1) : WHO_WAITS);
            }
        }
        return names;
    }

    /** Returns the fences of the record in their order; the model knows nothing but that order. */
    List<Long> fences() {
        return new ArrayList<>(new TreeSet<>(events.stream()
                .map(TraceEvent::recordFence)
                .filter(fence -> fence > 0)
                .toList()));
    }

    /** Returns whether a grant has a smaller fence than one before it. */
    boolean fencesGoBack() {
        List<Long> granted = new ArrayList<>(grants().keySet());
        return !granted.equals(granted.stream().sorted().toList());
    }

    /** Returns the attempts to which the store granted each fence, in the order of the grants. */
    Map<Long, String> grants() {
        Map<Long, String> grants = new LinkedHashMap<>();
        events.stream()
                .filter(event -> event.step().equals("ACQUIRE") && event.state().equals("PENDING"))
                .filter(event -> TraceModule.GRANTS.contains(event.answer()))
                .forEach(event -> grants.putIfAbsent(event.recordFence(), event.owner()));
        return grants;
    }
}
