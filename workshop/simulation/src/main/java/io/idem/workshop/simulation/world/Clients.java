package io.idem.workshop.simulation.world;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests to the processes of the intake and repeats them until one succeeds. */
final class Clients implements Entrance {

    private static final Duration WAY = Duration.ofMillis(3);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final int PATIENCE_SECONDS = 10;

    private final World world;
    private final List<Intake> intakes = new ArrayList<>();

    Clients(World world) {
        this.world = world;
    }

    void serve(Intake intake) {
        intakes.add(intake);
    }

    @Override
    public void enter(String key) {
        while (!request(key)) {
            world.pause(AGAIN);
        }
    }

    private boolean request(String key) {
        intakes.removeIf(intake -> intake.machine().dead());
        Optional<Intake> any = intakes.isEmpty()
                ? Optional.empty()
                : Optional.of(intakes.get(world.random().nextInt(intakes.size())));
        return any.isPresent() && answered(any.get(), key);
    }

    private boolean answered(Intake intake, String key) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        world.kernel().after(world.about(WAY), intake.machine(), () -> {
            boolean success = intake.handle(key);
            world.kernel().soon(world.about(WAY), world.outside(), () -> answer.complete(success));
        });
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException unanswered) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
