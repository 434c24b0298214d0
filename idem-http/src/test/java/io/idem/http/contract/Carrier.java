package io.idem.http.contract;

import io.idem.IdempotencyContext;
import io.idem.step.Step;
import io.idem.step.StepContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** Work of two steps. The second one fails when it is called for the first time under a client's key. Thread-safe. */
public final class Carrier {

    private static final Step<String> CHARGE = Step.of("charge", String.class);
    private static final Step<String> LABEL = Step.of("label", String.class);

    private final Map<String, List<StepContext>> calls = new ConcurrentHashMap<>();

    public String ship(IdempotencyContext attempt) {
        String receipt = attempt.step(CHARGE, step -> charge(attempt, step));
        return receipt + ", " + attempt.step(LABEL, step -> label(attempt, step));
    }

    /** Ships without a thread that waits. */
    public CompletionStage<String> shipLater(IdempotencyContext attempt) {
        return later(attempt, CHARGE, this::charge)
                .thenCompose(receipt -> later(attempt, LABEL, this::label).thenApply(label -> receipt + ", " + label));
    }

    private static CompletionStage<String> later(
            IdempotencyContext attempt, Step<String> step, BiFunction<IdempotencyContext, StepContext, String> call) {
        return attempt.stepAsync(step, running -> CompletableFuture.supplyAsync(() -> call.apply(attempt, running)));
    }

    private String charge(IdempotencyContext attempt, StepContext step) {
        return "receipt " + numberOf(attempt, step);
    }

    private String label(IdempotencyContext attempt, StepContext step) {
        int number = numberOf(attempt, step);
        if (!step.mayHaveRun()) {
            throw new OutOfPaper();
        }
        return "label " + number;
    }

    private int numberOf(IdempotencyContext attempt, StepContext step) {
        List<StepContext> sameKey =
                calls.computeIfAbsent(attempt.key().value(), unused -> new CopyOnWriteArrayList<>());
        sameKey.add(step);
        return sameKey.size();
    }

    /** Returns the calls of steps under a client's key, in their order. */
    public List<StepContext> calls(String key) {
        return List.copyOf(calls.getOrDefault(key, List.of()));
    }

    /** Failure of a step. */
    public static final class OutOfPaper extends RuntimeException {}
}
