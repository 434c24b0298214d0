package io.idem.workshop.simulation.world;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.workshop.simulation.check.Names;
import io.idem.workshop.simulation.kernel.Crash;
import io.idem.workshop.simulation.kernel.Machine;
import java.util.concurrent.TimeUnit;

/** A process of the intake, which publishes requests to the broker and answers when the message is durable. */
final class Intake {

    private static final int TIMEOUT_SECONDS = 3;

    private final World world;
    private final Machine machine;
    private final Destination broker;
    private final IdempotentExecutor executor;

    /** Creates an intake. Must be called by a fiber of {@code machine}. */
    Intake(World world, Machine machine, StoreServer server, Destination broker) {
        this.world = world;
        this.machine = machine;
        this.broker = broker;
        this.executor =
                IdempotentExecutor.on(Worker.store(world, server, machine)).build();
    }

    Machine machine() {
        return machine;
    }

    /** Handles a request and returns whether the answer is a success. Blocks. */
    boolean handle(String key) {
        world.step("request " + key);
        ExecutionPolicy policy = world.setup().policy().withMaxAttempts(0);
        Operation operation = Operation.of(IdempotencyKey.of(key), new Scope(Names.INTAKE), policy)
                .atIntake();
        try {
            Outcome<String> outcome = executor.execute(operation, this::handOff);
            world.trace(
                    machine + " answers " + key + " by " + outcome.getClass().getSimpleName());
            return isSuccess(outcome);
        } catch (Crash crash) {
            throw crash;
        } catch (Exception refused) {
            world.trace(machine + " refuses " + key + ": " + refused.getMessage());
            return false;
        }
    }

    private WorkResult<String> handOff(IdempotencyContext context) throws Exception {
        String key = context.publications().nextKey("payments").value();
        var confirm = broker.publish(key);
        if (!world.setup().flaw().completesBeforeConfirm()) {
            var unused = confirm.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
        return new WorkResult.Complete<>("accepted", StoredResult.NONE);
    }

    /** Returns whether the message is durable, even if the record does not say so yet. */
    private static boolean isSuccess(Outcome<String> outcome) {
        return outcome instanceof Outcome.Executed
                || outcome instanceof Outcome.Superseded
                || outcome instanceof Outcome.Replayed
                || (outcome instanceof Outcome.Unrecorded<String> open
                        && open.why() instanceof Outcome.Obstacle.StoreSilent);
    }
}
