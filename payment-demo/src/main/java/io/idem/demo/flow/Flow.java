package io.idem.demo.flow;

import io.idem.IdempotencyKey;
import io.idem.demo.story.ClientListener;
import io.idem.demo.story.Exchange;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The latest operations and the latest lines of what happened; older ones are forgotten. Thread-safe. */
public final class Flow implements ClientListener {

    private static final int MOST_OPERATIONS = 40;
    private static final int MOST_LINES = 60;
    private static final Set<What> STEPS =
            Set.of(What.GRANTED, What.STEP_ENDED, What.ANSWERED, What.SETTLED, What.FOUND_IN_INBOX);

    private record NumberedLine(long version, LogLine line) {}

    private final Map<String, OperationTrace> operations = new LatestMap<>(MOST_OPERATIONS);
    private final Map<String, String> roots = new LatestMap<>(4 * MOST_OPERATIONS);
    private final Deque<NumberedLine> lines = new ArrayDeque<>();
    private long version;

    /** Adds a line to the log. */
    public synchronized void say(String text) {
        lines.addLast(new NumberedLine(++version, new LogLine(System.currentTimeMillis(), text)));
        if (lines.size() > MOST_LINES) {
            lines.removeFirst();
        }
    }

    @Override
    public synchronized void sending(Exchange unanswered) {
        changed(id(unanswered)).sending(unanswered);
    }

    @Override
    public synchronized void answered(Exchange exchange) {
        changed(id(exchange)).answered(exchange);
    }

    private static String id(Exchange exchange) {
        return new IdempotencyKey(exchange.tenant(), exchange.key()).id();
    }

    /** Adds an event of a process. */
    public synchronized void on(WorkerEvent event) {
        if (event.what() == What.FOLLOWS) {
            roots.put(event.key(), event.detail());
        } else if (STEPS.contains(event.what())) {
            changed(roots.getOrDefault(event.key(), event.key())).on(event);
        }
    }

    private OperationTrace changed(String id) {
        OperationTrace operation =
                operations.computeIfAbsent(id, unknown -> new OperationTrace(unknown, System.currentTimeMillis()));
        operation.touch(++version);
        return operation;
    }

    /** Returns the changes after version {@code seen}; 0 asks for all that are remembered. */
    public synchronized Changes since(long seen) {
        List<OperationView> changed = operations.values().stream()
                .filter(operation -> operation.version() > seen)
                .map(OperationTrace::view)
                .sorted(Comparator.comparingLong(OperationView::at))
                .toList();
        List<LogLine> told = lines.stream()
                .filter(line -> line.version() > seen)
                .map(NumberedLine::line)
                .toList();
        return new Changes(version, changed, told);
    }

    /** A map that forgets its oldest entries when there are too many. */
    private static final class LatestMap<V> extends LinkedHashMap<String, V> {

        private final int most;

        LatestMap(int most) {
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > most;
        }
    }
}
