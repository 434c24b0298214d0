package io.idem.workshop.simulation.world;

import io.idem.IdempotencyContext;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepFinding;
import io.idem.workshop.simulation.check.Names;

/** The steps of the work of a key. */
record Steps(World world, Provider provider) {

    /** Runs both steps, in an order that each attempt chooses anew. */
    void run(IdempotencyContext attempt) {
        Step<String> plain = Step.of(Names.PLAIN_STEP, String.class);
        Step<String> reconciled =
                Step.of(Names.RECONCILED_STEP, String.class).reconciledBy(step -> found(attempt, step));
        boolean plainFirst = world.random().nextBoolean();
        run(attempt, plainFirst ? plain : reconciled);
        run(attempt, plainFirst ? reconciled : plain);
    }

    private void run(IdempotencyContext attempt, Step<String> step) {
        String landing = attempt.step(step, context -> called(attempt, context));
        world.history().returned(attempt.key().value(), step.id(), attempt.fence(), Integer.parseInt(landing));
    }

    /** Calls the provider. May fail although it has acted, as after a time-out. */
    private String called(IdempotencyContext attempt, StepContext step) {
        int landing = provider.call(attempt, step);
        if (world.random().nextDouble() < world.setup().failing()) {
            String key = attempt.key().value();
            world.trace(world.kernel().machine() + " fails in step " + step.id() + " of " + key);
            world.history().workFailed(key);
            throw new IllegalStateException("simulated: step " + step.id() + " of " + key + " fails");
        }
        return Integer.toString(landing);
    }

    private StepFinding<String> found(IdempotencyContext attempt, StepContext step) {
        return provider.find(attempt, step)
                .map(landing -> StepFinding.done(Integer.toString(landing)))
                .orElseGet(StepFinding::notDone);
    }
}
