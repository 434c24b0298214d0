package io.idem.consumer.contract;

import io.idem.IdempotencyContext;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/** The {@link ListenerScript} on another thread, inside a transaction of that thread. */
public final class AsyncScript implements AutoCloseable, Resettable {

    private final ListenerScript script;
    private final TransactionTemplate transactions;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountedTasks work = new CountedTasks(threads);

    AsyncScript(ListenerScript script, ObservedTransactions transactions) {
        this.script = script;
        this.transactions = new TransactionTemplate(transactions);
    }

    /** Ends with the listener's result; without a context the message runs unguarded. */
    public CompletableFuture<String> run(String scope, String body, IdempotencyContext context) {
        return CompletableFuture.supplyAsync(
                () -> unchecked(() -> within(context, () -> inTransaction(scope, body, context))), work);
    }

    private static String within(@Nullable IdempotencyContext context, Callable<String> work) throws Exception {
        return context == null ? work.call() : context.call(work);
    }

    private String inTransaction(String scope, String body, IdempotencyContext context) {
        return transactions.execute(status -> unchecked(() -> script.run(scope, body, context)));
    }

    private static String unchecked(Callable<String> work) {
        try {
            return work.call();
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception failed) {
            throw new CompletionException(failed);
        }
    }

    @Override
    public void reset() {
        work.awaitEnd();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
