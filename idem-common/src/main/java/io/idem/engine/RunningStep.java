package io.idem.engine;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Publications;
import io.idem.RefusedWorkException;
import io.idem.Scope;
import io.idem.step.LocalWork;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepWork;
import io.micrometer.observation.Observation;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Context of an attempt while one of its steps runs: calls to other services are counted per step, and neither further
 * steps nor messages are allowed.
 */
final class RunningStep implements IdempotencyContext {

    private final Attempt attempt;
    private final String id;
    private final Observation observed;
    private final Publications publications;

    RunningStep(Attempt attempt, String id, String derivedKey, Observation observed) {
        this.attempt = attempt;
        this.id = id;
        this.observed = observed;
        this.publications = attempt.publications().ofStep(derivedKey, id);
    }

    boolean isOf(Attempt other) {
        return attempt == other;
    }

    IllegalStateException nested(Step<?> inner) {
        return new IllegalStateException("Step \"" + inner + "\" begins inside step \"" + id
                + "\", which would not run in a later attempt; begin it after that step has returned");
    }

    @Override
    public IdempotencyKey key() {
        return attempt.key();
    }

    @Override
    public Scope scope() {
        return attempt.scope();
    }

    @Override
    public String root() {
        return attempt.root();
    }

    @Override
    public long fence() {
        return attempt.fence();
    }

    @Override
    public int attempt() {
        return attempt.attempt();
    }

    @Override
    public boolean takeover() {
        return attempt.takeover();
    }

    @Override
    public boolean stillOwner() {
        return attempt.stillOwner();
    }

    @Override
    public void requireOwner() {
        attempt.requireOwner();
    }

    @Override
    public void onLeaseLost(Runnable action) {
        attempt.onLeaseLost(action);
    }

    @Override
    public <T, X extends Exception> T step(Step<T> step, StepWork<T, X> work) {
        throw nested(step);
    }

    @Override
    public <T> CompletionStage<T> stepAsync(Step<T> step, Function<StepContext, CompletionStage<T>> work) {
        throw nested(step);
    }

    @Override
    public <T, X extends Exception> T inTransaction(LocalWork<T, X> work) {
        throw new RefusedWorkException("Step \"" + id
                + "\" opens the transaction of the inbox, which would stay open while other systems are called; call inTransaction"
                + " after the last step has returned");
    }

    @Override
    public void answerIsNoResult() {
        attempt.answerIsNoResult();
    }

    @Override
    public Binding bind() {
        Binding execution = attempt.enter();
        Binding step = Observed.entered(observed);
        Binding bound = IdempotencyContext.super.bind();
        return () -> {
            bound.close();
            step.close();
            execution.close();
        };
    }

    @Override
    public Publications publications() {
        return publications;
    }
}
