package io.idem.demo.flow;

import io.idem.demo.story.Exchange;
import io.idem.demo.story.Kind;
import io.idem.demo.watch.WorkerEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The events of one operation, in the order of arrival. Not thread-safe. */
final class OperationTrace {

    /** The step that the client waits for. */
    static final String INTAKE = "intake";

    private record Reply(int status, boolean replayed) {}

    private final String id;
    private final long at;
    private final Map<String, Step> steps = new LinkedHashMap<>();
    private final Map<Reply, Integer> replies = new LinkedHashMap<>();
    private Kind kind = Kind.PAYMENT;
    private String tenant = "";
    private String key = "";
    private long amount;
    private long version;

    OperationTrace(String id, long at) {
        this.id = id;
        this.at = at;
        step(INTAKE);
    }

    /** Takes the content from the first request; a later request with another amount does not change it. */
    void sending(Exchange exchange) {
        if (!key.isEmpty()) {
            return;
        }
        kind = exchange.kind();
        tenant = exchange.tenant();
        key = exchange.key();
        amount = exchange.amount();
        scopes(kind).forEach(this::step);
    }

    private static List<String> scopes(Kind kind) {
        return kind == Kind.PAYMENT ? List.of("payments", "receipts", "risk") : List.of("payouts");
    }

    void answered(Exchange exchange) {
        replies.merge(new Reply(exchange.status(), exchange.replayed()), 1, Integer::sum);
    }

    void on(WorkerEvent event) {
        String scope = event.worker().equals(INTAKE) ? INTAKE : event.scope();
        if (key.isEmpty() && scope.equals("payouts")) {
            kind = Kind.PAYOUT;
        }
        step(scope).on(event);
    }

    private Step step(String scope) {
        return steps.computeIfAbsent(scope, Step::new);
    }

    void touch(long newVersion) {
        version = newVersion;
    }

    long version() {
        return version;
    }

    OperationView view() {
        List<ReplyView> counted = new ArrayList<>();
        replies.forEach((reply, count) -> counted.add(new ReplyView(reply.status(), reply.replayed(), count)));
        List<StepView> done = steps.values().stream().map(Step::view).toList();
        return new OperationView(id, at, kind.name(), tenant, key, amount, counted, done);
    }
}
