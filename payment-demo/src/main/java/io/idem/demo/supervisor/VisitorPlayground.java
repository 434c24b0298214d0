package io.idem.demo.supervisor;

import io.idem.demo.flow.Changes;
import io.idem.demo.flow.Flow;
import io.idem.demo.page.Frame;
import io.idem.demo.page.LedgerView;
import io.idem.demo.page.MachinesView;
import io.idem.demo.page.NotNowException;
import io.idem.demo.page.Playground;
import io.idem.demo.provider.Accounts;
import io.idem.demo.story.Body;
import io.idem.demo.story.Exchange;
import io.idem.demo.story.Kind;
import io.idem.demo.story.PlannedOperation;
import io.idem.demo.story.StoryPlan;
import io.idem.demo.story.Visitor;
import io.idem.demo.watch.WorkerEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The page's buttons, wired to a visitor, the workers and Redis. */
final class VisitorPlayground implements Playground {

    private static final String TENANT = StoryPlan.TENANTS.get(0);
    private static final String ACCOUNT = "account-0001";
    private static final long SLOW_CENTS = 9_900;

    private final Flow flow;
    private final Visitor visitor;
    private final String keys;
    private final WorkerStates workers;
    private final WorkerKill kill;
    private final RedisSwitch redis;
    private final Supplier<LedgerView> ledger;
    private final AtomicInteger count = new AtomicInteger();
    private volatile @Nullable PlannedOperation last;

    /** {@code keys} starts the visitor's keys. */
    VisitorPlayground(
            Flow flow,
            Visitor visitor,
            String keys,
            WorkerStates workers,
            WorkerKill kill,
            RedisSwitch redis,
            Supplier<LedgerView> ledger) {
        this.flow = flow;
        this.visitor = visitor;
        this.keys = keys;
        this.workers = workers;
        this.kill = kill;
        this.redis = redis;
        this.ledger = ledger;
    }

    @Override
    public Frame since(long seen) {
        Changes changes = flow.since(seen);
        PlannedOperation latest = last;
        return new Frame(
                changes.version(),
                changes.operations(),
                changes.lines(),
                ledger.get(),
                new MachinesView(workers.views(), redis.state()),
                latest == null ? "" : latest.key().value());
    }

    @Override
    public String send(Kind kind, long cents) throws InterruptedException {
        PlannedOperation operation = next(kind, new Body(ACCOUNT, cents, "EUR"));
        return tell("Sent " + name(operation), List.of(visitor.send(operation)));
    }

    @Override
    public String sendTwice(Kind kind, long cents) throws InterruptedException {
        PlannedOperation operation = next(kind, new Body(ACCOUNT, cents, "EUR"));
        return tell("Sent " + name(operation) + " twice at once", visitor.sendTwiceAtOnce(operation));
    }

    @Override
    public String retry() throws InterruptedException {
        PlannedOperation operation = latest();
        return tell("Sent " + name(operation) + " again", List.of(visitor.send(operation)));
    }

    @Override
    public String change() throws InterruptedException {
        PlannedOperation operation = latest();
        return tell("Sent " + name(operation) + " with one cent more", List.of(visitor.sendChanged(operation)));
    }

    private PlannedOperation next(Kind kind, Body body) {
        String key = "%s-%03d".formatted(keys, count.incrementAndGet());
        PlannedOperation operation = Visitor.operation(kind, TENANT, key, body);
        last = operation;
        return operation;
    }

    private PlannedOperation latest() {
        PlannedOperation operation = last;
        if (operation == null) {
            throw new NotNowException("Send something first.");
        }
        return operation;
    }

    private static String name(PlannedOperation operation) {
        return operation.key().value();
    }

    private String tell(String what, List<Exchange> exchanges) {
        return say(what + ". "
                + String.join("; ", exchanges.stream().map(ReplyText::of).toList()) + ".");
    }

    private String say(String text) {
        flow.say(text);
        return text;
    }

    @Override
    public String killWorker() throws InterruptedException {
        PlannedOperation slow = next(Kind.PAYMENT, new Body(Accounts.SLOW, SLOW_CENTS, "EUR"));
        Optional<WorkerEvent> victim = kill.atWorkOn(slow, () -> visitor.send(slow));
        return say(victim.map(event ->
                        "Killed %s (process %d, SIGKILL) at work on %s. Another takes over when the lease has ended."
                                .formatted(event.worker(), event.pid(), name(slow)))
                .orElse("Nobody was killed: no worker took " + name(slow) + " on. It waits in the queue."));
    }

    @Override
    public String stopRedis() {
        redis.stop();
        return say("Redis is stopped. Requests get 503, consumers pause; nothing is dropped.");
    }

    @Override
    public String startRedis() {
        redis.start();
        return say("Redis is up again, with its data. The consumers notice by themselves within seconds.");
    }
}
