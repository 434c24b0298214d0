package io.idem.model.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** How far TLC got with each trace, by what the specification prints. */
record TraceProgress(Map<Integer, Reached> furthest) {

    private static final Pattern STATE = Pattern.compile(
            "<<\"@\", (\\d+), (\\d+), \"(\\w+)\", (\\d+), (\\d+), \"(\\w*)\", (TRUE|FALSE), \"(\\w*)\">>");

    static TraceProgress read(String output) {
        Map<Integer, Reached> furthest = new HashMap<>();
        STATE.matcher(output.replaceAll("\\s+", " ")).results().forEach(found -> {
            Reached reached = new Reached(
                    Integer.parseInt(found.group(2)),
                    found.group(3) + " fence " + found.group(4) + " attempts " + found.group(5) + ", owner "
                            + found.group(6)
                            + (found.group(3).equals("PENDING")
                                    ? (found.group(7).equals("TRUE") ? ", lease live" : ", lease ended")
                                    : ""),
                    found.group(8));
            furthest.merge(
                    Integer.parseInt(found.group(1)),
                    reached,
                    (earlier, later) -> later.next() >= earlier.next() ? later : earlier);
        });
        return new TraceProgress(furthest);
    }

    /** Returns how far TLC got with the trace of this number, from 1. */
    Reached of(int trace) {
        Reached reached = furthest.get(trace);
        if (reached == null) {
            throw new IllegalStateException("TLC has not looked at trace " + trace);
        }
        return reached;
    }

    /**
     * The furthest state of a trace.
     *
     * @param next number of the event that comes next, from 1
     * @param record the record in that state
     * @param attempt where the attempt of the next event stands; empty if there is none
     */
    record Reached(int next, String record, String attempt) {}
}
