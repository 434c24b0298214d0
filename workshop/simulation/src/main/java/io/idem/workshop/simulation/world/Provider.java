package io.idem.workshop.simulation.world;

import io.idem.IdempotencyContext;
import io.idem.step.StepContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The other system that steps call. Acts on every call, also under a key that it knows. */
final class Provider {

    private static final Duration WAY = Duration.ofMillis(20);

    private final World world;
    private final Map<String, Integer> landings = new HashMap<>();

    Provider(World world) {
        this.world = world;
    }

    /** Acts, and returns the number of the landing under the key. The answer may be lost with the caller. */
    int call(IdempotencyContext attempt, StepContext step) {
        String key = attempt.key().value();
        return exchange("the call of step " + step.id() + " of " + key, () -> {
            world.trace("provider: " + step.id() + " of " + key + " lands");
            world.history().landed(key, step.id(), step.key(), step.fence());
            return landings.merge(step.key(), 1, Integer::sum);
        });
    }

    /** Returns the first landing under the key of the step. */
    Optional<Integer> find(IdempotencyContext attempt, StepContext step) {
        String key = attempt.key().value();
        return exchange("the question about step " + step.id() + " of " + key, () -> {
            world.history().asked(key, step.id(), step.key(), step.fence());
            return Optional.ofNullable(landings.get(step.key())).map(any -> 1);
        });
    }

    private <T> T exchange(String what, Supplier<T> act) {
        world.step("before " + what);
        CompletableFuture<T> answer = new CompletableFuture<>();
        world.kernel().soon(world.about(WAY), world.outside(), () -> answer.complete(act.get()));
        T given = answer.join();
        world.step("after " + what);
        return given;
    }
}
