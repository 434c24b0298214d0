package io.idem.model.trace;

import io.idem.workshop.simulation.kernel.TraceEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes traces as a module of the model's language. */
final class TraceModule {

    static final Set<String> GRANTS = Set.of("FRESH", "RETRY", "TAKEOVER", "REENTRANT");

    private TraceModule() {}

    static String of(List<Trace> traces) {
        return traces.stream()
                .map(TraceModule::trace)
                .collect(Collectors.joining(
                        ",\n", "---- MODULE TraceData ----\nEXTENDS Naturals\nTraces == <<\n", ">>\n====\n"));
    }

    private static String trace(Trace trace) {
        Map<String, String> owners = trace.owners();
        List<Long> fences = trace.fences();
        Map<Long, String> grants = trace.grants();
        String who =
                owners.values().stream().distinct().map(TraceModule::quoted).collect(Collectors.joining(", "));
        return trace.events().stream()
                .map(event -> event(event, owners, fences, grants))
                .collect(Collectors.joining(",\n", "[who |-> {" + who + "}, events |-> <<\n", ">>]"));
    }

    private static String event(
            TraceEvent event, Map<String, String> owners, List<Long> fences, Map<Long, String> grants) {
        String owner = owners.getOrDefault(grants.getOrDefault(event.recordFence(), ""), "gone");
        return "[op |-> " + quoted(event.step())
                + ", who |-> " + quoted(owners.getOrDefault(event.owner(), ""))
                + ", ans |-> " + quoted(event.answer())
                + ", as |-> " + (fences.indexOf(event.fence()) + 1)
                + ", due |-> " + (event.due() ? "TRUE" : "FALSE")
                + ", st |-> " + quoted(event.state().isEmpty() ? "any" : event.state())
                + ", fen |-> " + (fences.indexOf(event.recordFence()) + 1)
                + ", att |-> " + event.attempts()
                + ", own |-> " + quoted(event.state().equals("PENDING") ? owner : "none") + "]";
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }
}
