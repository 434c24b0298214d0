package io.idem.http.contract;

import io.idem.Inbox;
import io.idem.Outbox;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A database with one table, in memory: what a thread writes inside a transaction is there from its commit on. */
public final class LedgerOutbox implements Outbox, Inbox {

    private final Map<Thread, List<String>> open = new ConcurrentHashMap<>();
    private final List<String> ledger = new CopyOnWriteArrayList<>();
    private final List<OutgoingMessage> relayed = new CopyOnWriteArrayList<>();
    private final Map<RecordId, Effect> rows = new ConcurrentHashMap<>();
    private final Set<Scope> scopes = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable RuntimeException> onCommit = new AtomicReference<>();
    private final AtomicBoolean away = new AtomicBoolean();

    /** Writes inside the transaction of the calling thread. */
    public void write(String entry) {
        List<String> transaction = open.get(Thread.currentThread());
        if (transaction == null) {
            throw new IllegalStateException("No transaction is open on this thread");
        }
        transaction.add(entry);
    }

    /** What was committed. */
    public List<String> ledger() {
        return ledger;
    }

    public List<OutgoingMessage> relayed() {
        return relayed;
    }

    public Set<Scope> scopes() {
        return scopes;
    }

    public void failNextCommit(RuntimeException failure) {
        onCommit.set(failure);
    }

    public void goAwayOnce() {
        away.set(true);
    }

    @Override
    public Inbox inbox(Scope scope) {
        scopes.add(scope);
        return this;
    }

    @Override
    public InboxOutcome run(Request request, InboxWork work) throws Exception {
        if (away.getAndSet(false)) {
            throw new StoreUnavailableException(
                    "no database", Execution.NOT_EXECUTED, new IllegalStateException("ordered by a test"));
        }
        Effect known = rows.get(request.record());
        if (known != null) {
            return new InboxOutcome.Found(known);
        }
        List<String> transaction = new ArrayList<>();
        open.put(Thread.currentThread(), transaction);
        try {
            Optional<Effect> effect = work.run(request.lease());
            return effect.isEmpty() ? new InboxOutcome.RolledBack() : commit(request, transaction, effect.get());
        } finally {
            open.remove(Thread.currentThread());
        }
    }

    private InboxOutcome commit(Request request, List<String> transaction, Effect effect) {
        RuntimeException failure = onCommit.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
        Effect kept = new Effect(effect.result(), List.of(), request.fingerprint());
        rows.put(request.record(), kept);
        ledger.addAll(transaction);
        relayed.addAll(effect.outgoing());
        return new InboxOutcome.Committed(kept);
    }

    @Override
    public Optional<Effect> find(RecordId record) {
        return Optional.ofNullable(rows.get(record));
    }
}
