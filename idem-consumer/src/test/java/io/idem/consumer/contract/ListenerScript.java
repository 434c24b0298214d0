package io.idem.consumer.contract;

import io.idem.IdempotencyContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the listeners of an application do when they are called, and what they were called with. Thread-safe. */
public final class ListenerScript implements Resettable {

    /** One call. */
    public record Call(String scope, String body, IdempotencyContext context) {}

    /** What a listener does. */
    @FunctionalInterface
    public interface Step {

        /** Does it; the answer is the listener's result. */
        String run(Call call) throws Exception;
    }

    private final EventLog log;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Deque<Step> steps = new ArrayDeque<>();

    /** A script without steps: every call succeeds. */
    public ListenerScript(EventLog log) {
        this.log = log;
    }

    /** Adds what the next calls do, one step a call; the calls after them succeed. */
    public void then(Step... next) {
        synchronized (steps) {
            steps.addAll(List.of(next));
        }
    }

    /** Forgets all calls and steps, for the next test. */
    @Override
    public void reset() {
        calls.clear();
        synchronized (steps) {
            steps.clear();
        }
    }

    /** A step that fails. */
    public static Step fail() {
        return call -> {
            throw new IllegalStateException("The script lets " + call.body() + " fail");
        };
    }

    /** Called by the listeners. */
    public String run(String scope, String body, IdempotencyContext context) throws Exception {
        Call call = new Call(scope, body, context);
        log.note(EventLog.WORK);
        calls.add(call);
        Step step;
        synchronized (steps) {
            step = steps.isEmpty() ? done -> "done " + done.body() : steps.removeFirst();
        }
        return step.run(call);
    }

    /** All calls. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** The bodies with which a scope was called. */
    public List<String> bodies(String scope) {
        return calls.stream()
                .filter(call -> call.scope().equals(scope))
                .map(Call::body)
                .toList();
    }
}
