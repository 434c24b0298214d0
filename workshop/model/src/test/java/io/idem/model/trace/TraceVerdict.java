package io.idem.model.trace;

import io.idem.workshop.simulation.kernel.TraceEvent;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether the model has a behaviour for a trace, and how far it got.
 *
 * @param possible answers to the refused event that the model allows; empty if it was not asked
 */
record TraceVerdict(Trace trace, TraceProgress.Reached reached, List<String> possible) {

    private static final int SHOWN_BEFORE = 8;

    boolean accepted() {
        return reached.next() > trace.events().size();
    }

    @Override
    public String toString() {
        if (accepted()) {
            return trace.run() + ", key " + trace.key() + ": accepted";
        }
        int refused = reached.next() - 1;
        String before = IntStream.range(Math.max(0, refused - SHOWN_BEFORE), refused)
                .mapToObj(this::told)
                .collect(Collectors.joining("\n           "));
        return "The model has no step for event " + reached.next() + " of "
                + trace.events().size() + " of key " + trace.key()
                + "\n  before   " + reached.record()
                + (reached.attempt().isEmpty() ? "" : "; the attempt is " + reached.attempt())
                + "\n  event    " + told(refused)
                + (possible.isEmpty() ? "" : "\n  possible " + String.join(", ", possible))
                + "\n  earlier  " + before
                + "\n  repeat   " + trace.run();
    }

    private String told(int index) {
        TraceEvent event = trace.events().get(index);
        List<Long> fences = trace.fences();
        return String.format(Locale.ROOT, "%3d  %.3f ms  ", index + 1, event.time())
                + event.step()
                + " by " + trace.owners().getOrDefault(event.owner(), "nobody")
                + (event.fence() == 0 ? "" : " with fence " + (fences.indexOf(event.fence()) + 1))
                + (event.answer().isEmpty() ? "" : " -> " + event.answer())
                + (event.due() ? ", after its time" : "")
                + (event.state().isEmpty()
                        ? ""
                        : "; the record is " + event.state() + " fence " + (fences.indexOf(event.recordFence()) + 1)
                                + " attempts " + event.attempts());
    }
}
