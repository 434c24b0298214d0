package io.idem.workshop.simulation.world;

import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The processes. A process that died is started again. */
final class Crew {

    private static final Duration RESTART = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final World world;
    private final List<Machine> alive = new ArrayList<>();
    private int starts;

    Crew(World world) {
        this.world = world;
    }

    /** Starts a process, and restarts it whenever it has died. */
    void employ(String name, Consumer<Machine> start) {
        Machine machine = world.kernel().machine(name + "-" + ++starts);
        alive.add(machine);
        world.kernel().after(0, machine, () -> start.accept(machine));
        world.kernel().soon(LOOK.toNanos(), world.outside(), () -> watch(name, machine, start));
    }

    private void watch(String name, Machine machine, Consumer<Machine> start) {
        if (machine.dead()) {
            alive.remove(machine);
            world.kernel().soon(world.about(RESTART), world.outside(), () -> employ(name, start));
        } else {
            world.kernel().soon(LOOK.toNanos(), world.outside(), () -> watch(name, machine, start));
        }
    }

    Optional<Machine> anybody() {
        return alive.isEmpty()
                ? Optional.empty()
                : Optional.of(alive.get(world.random().nextInt(alive.size())));
    }
}
