package io.idem.engine;

import io.idem.MonotonicClock;
import io.idem.StoreUnavailableException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The reference store on a clock that stands still, with failures to order. Its methods are called by name. */
public final class ScriptedStore {

    private final AtomicLong nanos = new AtomicLong(1);
    private final InstantSource wall = () -> Instant.EPOCH.plusNanos(nanos.get());
    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(wall);
    private final Map<String, Deque<Runnable>> before = new ConcurrentHashMap<>();
    private final Map<String, Deque<RuntimeException>> after = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();

    /** The reference itself, without failures: somebody else's view. */
    IdempotencyStore memory() {
        return memory;
    }

    public MonotonicClock clock() {
        return nanos::get;
    }

    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    /** Names of the methods called so far. */
    List<String> calls() {
        return calls;
    }

    /** Runs an action before the next call of a method that has none yet; what it throws is the answer. */
    ScriptedStore before(String method, Runnable action) {
        before.computeIfAbsent(method, name -> new ArrayDeque<>()).add(action);
        return this;
    }

    /** Executes the next call, but throws instead of answering. */
    ScriptedStore loseAnswerTo(String method) {
        after.computeIfAbsent(method, name -> new ArrayDeque<>())
                .add(new StoreUnavailableException(
                        "cut", StoreUnavailableException.Execution.UNKNOWN, new IllegalStateException()));
        return this;
    }

    /** Throws instead of executing the next call. */
    ScriptedStore fail(String method, RuntimeException failure) {
        return before(method, () -> {
            throw failure;
        });
    }

    public static StoreUnavailableException silence() {
        return new StoreUnavailableException(
                "away", StoreUnavailableException.Execution.NOT_EXECUTED, new IllegalStateException());
    }

    /** Batches call the methods for one request. */
    IdempotencyStore store() {
        return new PerRequestStore(scripted()) {};
    }

    private IdempotencyStore scripted() {
        return (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("blockingThreads")) {
                        return memory.blockingThreads();
                    }
                    calls.add(method.getName());
                    Runnable action = next(before, method.getName());
                    if (action != null) {
                        action.run();
                    }
                    Object answer;
                    try {
                        answer = method.invoke(memory, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                    RuntimeException lost = next(after, method.getName());
                    if (lost != null) {
                        throw lost;
                    }
                    return answer;
                });
    }

    private static <T> @Nullable T next(Map<String, Deque<T>> script, String method) {
        Deque<T> queue = script.get(method);
        return queue == null ? null : queue.poll();
    }
}
