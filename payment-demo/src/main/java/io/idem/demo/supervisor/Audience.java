package io.idem.demo.supervisor;

import io.idem.demo.flow.Flow;
import io.idem.demo.story.ClientListener;
import io.idem.demo.story.Exchange;
import io.idem.demo.watch.WatchedWork;
import io.idem.demo.watch.WorkerEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Watches everything for the page: the clients, the intake and the workers. Thread-safe. */
final class Audience implements ClientListener {

    private static final String INTAKE = "intake";

    private final Flow flow = new Flow();

    /** The requests and the accepted answers of each operation, each once, which is all that a check needs. */
    private final Set<Exchange> essentials = new LinkedHashSet<>();

    Flow flow() {
        return flow;
    }

    /** Returns the observer of the intake's idempotency events. */
    WatchedWork intake() {
        long pid = ProcessHandle.current().pid();
        return new WatchedWork((what, scope, key, detail, fence) ->
                flow.on(new WorkerEvent(INTAKE, pid, what, scope, key, detail, fence, System.nanoTime())));
    }

    @Override
    public void sending(Exchange unanswered) {
        remember(unanswered);
        flow.sending(unanswered);
    }

    @Override
    public void answered(Exchange exchange) {
        remember(exchange);
        flow.answered(exchange);
    }

    private synchronized void remember(Exchange full) {
        int status = full.accepted() ? full.status() : 0;
        essentials.add(new Exchange(
                full.kind(), full.tenant(), full.key(), full.amount(), 0, 0, status, "", false, "", "", ""));
    }

    /** Returns the requests and the accepted answers so far. */
    synchronized List<Exchange> exchanges() {
        return List.copyOf(essentials);
    }
}
