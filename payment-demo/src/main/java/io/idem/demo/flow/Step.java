package io.idem.demo.flow;

import io.idem.demo.watch.WorkerEvent;
import java.util.LinkedHashMap;
import java.util.Map;

/** The part of an operation that one scope handles. Not thread-safe. */
final class Step {

    private final String scope;
    private String state = "WAITING";
    private String worker = "";
    private long fence;
    private int takeovers;
    private int duplicates;
    private int deferred;
    private boolean foundInInbox;
    private final Map<String, String> parts = new LinkedHashMap<>();

    Step(String scope) {
        this.scope = scope;
    }

    void on(WorkerEvent event) {
        switch (event.what()) {
            case GRANTED -> granted(event);
            case STEP_ENDED -> partEnded(event);
            case SETTLED -> settled(event);
            case ANSWERED -> answered(event.detail());
            case FOUND_IN_INBOX -> foundInInbox = true;
            default -> {
                // Other events do not change the state.
            }
        }
    }

    private void granted(WorkerEvent event) {
        if (event.detail().equals("TAKEOVER")) {
            takeovers++;
        }
        // Logs of two processes may be read in another order than they were written in.
        if (event.fence() >= fence) {
            fence = event.fence();
            worker = event.worker();
            state = "PENDING";
        }
    }

    private void partEnded(WorkerEvent event) {
        if (event.fence() >= fence) {
            String[] howAndName = event.detail().split(" ", 2);
            parts.put(howAndName[1], howAndName[0]);
        }
    }

    private void settled(WorkerEvent event) {
        if (event.fence() >= fence) {
            fence = event.fence();
            worker = event.worker();
            state = event.detail();
        }
    }

    private void answered(String claim) {
        if (claim.equals("REPLAY")) {
            duplicates++;
            // Its owner may have died before it could say so.
            state = "COMPLETED";
        } else if (claim.equals("INPROGRESS")) {
            deferred++;
        }
    }

    StepView view() {
        return new StepView(scope, state, worker, takeovers, duplicates, deferred, foundInInbox, Map.copyOf(parts));
    }
}
