package io.idem.workshop.chaos.worker;

import io.idem.IdempotencyContext;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepFinding;

/** The steps of the work of a listener without the inbox. Each calls the provider and gets a receipt. */
final class Steps {

    private final Provider provider;

    Steps(Provider provider) {
        this.provider = provider;
    }

    /** Runs both steps. Which one is the first depends on the key, so that faults strike either. */
    void run(Lane lane, IdempotencyContext attempt) {
        boolean plainFirst = attempt.key().value().hashCode() % 2 == 0;
        Step<Long> plain = Step.of(Names.PLAIN_STEP, Long.class);
        Step<Long> reconciled =
                Step.of(Names.RECONCILED_STEP, Long.class).reconciledBy(step -> find(lane, attempt, step));
        run(lane, attempt, plainFirst ? plain : reconciled);
        run(lane, attempt, plainFirst ? reconciled : plain);
    }

    private void run(Lane lane, IdempotencyContext attempt, Step<Long> step) {
        long receipt = attempt.step(step, context -> provider.call(lane, attempt, context));
        provider.returned(lane, attempt, step.id(), receipt);
    }

    private StepFinding<Long> find(Lane lane, IdempotencyContext attempt, StepContext step) {
        return provider.find(lane, attempt, step).map(StepFinding::done).orElseGet(StepFinding::notDone);
    }
}
