package io.idem.consumer.contract;

import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.OwnerToken;
import io.idem.RecordId;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An inbox with its rows in a map instead of a database. */
public final class MapInbox implements Inbox {

    private final Map<RecordId, Effect> rows = new ConcurrentHashMap<>();
    private final Duration retention;
    private final Consumer<Optional<Effect>> beforeEnd;
    private final @Nullable LastPhase lastPhase;
    private final AtomicReference<Runnable> afterCommit = new AtomicReference<>(() -> {});

    private MapInbox(Duration retention, Consumer<Optional<Effect>> beforeEnd, @Nullable LastPhase lastPhase) {
        this.retention = retention;
        this.beforeEnd = beforeEnd;
        this.lastPhase = lastPhase;
    }

    /** An inbox for checks at start, whose work may end in a transaction. */
    public static MapInbox with(LastPhase lastPhase) {
        return new MapInbox(ChronoUnit.FOREVER.getDuration(), effect -> {}, lastPhase);
    }

    @Override
    public Optional<LastPhase> lastPhase() {
        return Optional.ofNullable(lastPhase);
    }

    /** An inbox that keeps its rows for so long. */
    public static MapInbox keepingFor(Duration retention) {
        return new MapInbox(retention, effect -> {}, null);
    }

    /**
     * An inbox that tells of the end of every transaction.
     *
     * @param beforeEnd gets the effect before it is committed; empty before a roll-back
     */
    public static MapInbox observedBy(Consumer<Optional<Effect>> beforeEnd) {
        return new MapInbox(ChronoUnit.FOREVER.getDuration(), beforeEnd, null);
    }

    /** Runs a callback after the next commit, in the context of its work. */
    public void afterNextCommit(Runnable callback) {
        afterCommit.set(callback);
    }

    /** The rows by their records; a row may be put in. */
    public Map<RecordId, Effect> rows() {
        return rows;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        Effect found = rows.get(request.record());
        if (found != null) {
            return found.again()
                    ? new InboxOutcome.Again(found, request.lease().owner())
                    : new InboxOutcome.Found(found);
        }
        Optional<Effect> effect = work.run(request.lease()).map(work::beforeCommit);
        beforeEnd.accept(effect);
        effect.ifPresent(
                done -> rows.put(request.record(), new Effect(done.result(), done.outgoing(), request.fingerprint())));
        if (effect.isPresent()) {
            try (IdempotencyContext.Binding bound = work.bind()) {
                work.afterCommit();
                afterCommit.getAndSet(() -> {}).run();
            }
        }
        return effect.<InboxOutcome>map(InboxOutcome.Committed::new).orElseGet(InboxOutcome.RolledBack::new);
    }

    @Override
    public void remove(RecordId record, OwnerToken owner) {
        rows.computeIfPresent(record, (of, row) -> row.again() ? null : row);
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return Optional.ofNullable(rows.get(record));
    }
}
