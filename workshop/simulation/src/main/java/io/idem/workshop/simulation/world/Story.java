package io.idem.workshop.simulation.world;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.workshop.simulation.check.Rules;
import io.idem.workshop.simulation.flaw.InboxFlaw;
import io.idem.workshop.simulation.kernel.Fibers;
import io.idem.workshop.simulation.kernel.Kernel;
import io.idem.workshop.simulation.kernel.Report;
import io.idem.workshop.simulation.kernel.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A run: load with faults, then repair, then a period in which all work must end. Created by reflection by the
 * simulation's class loader.
 */
public final class Story implements Scenario {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration FAULTS = Duration.ofSeconds(20);
    private static final Duration HEALING = Duration.ofMinutes(15);
    /** Longer than duplicates come. */
    private static final Duration RETENTION = Duration.ofMinutes(5);

    private static final int INTAKES = 2;
    private static final Duration LOOK = Duration.ofSeconds(1);

    @Override
    public Report play(long seed, Map<String, String> options, Fibers threads) throws InterruptedException {
        Kernel kernel = new Kernel(seed, threads);
        Setup setup = Setup.draw(kernel.random(), options);
        Rules rules = new Rules(setup.inbox(), setup.policy().maxAttempts(), setup.intake(), setup.alone());
        World world = new World(kernel, setup, rules);
        world.trace(setup.told());
        List<Throwable> failures = kernel.run(() -> tell(world), PATIENCE);
        List<String> violations = new ArrayList<>(world.history().violations());
        failures.forEach(failure -> violations.add(told(failure)));
        Map<String, Long> counts = new TreeMap<>(world.history().counts());
        counts.put("virtual ms", kernel.now() / 1_000_000);
        counts.put("steps", kernel.events());
        return new Report(
                seed,
                violations,
                counts,
                world.digest(),
                world.lines(),
                setup.inbox(),
                world.log().events());
    }

    private static String told(Throwable failure) {
        return failure + " at "
                + List.of(failure.getStackTrace()).stream().limit(12).toList();
    }

    private static void tell(World world) {
        StoreServer store = new StoreServer(world);
        Database database = new Database(world);
        Function<RecordId, Optional<RecordSnapshot>> records =
                world.setup().alone() ? database::inspect : store::inspect;
        Destination broker = world.setup().broker() == Setup.Broker.LOG
                ? new LogBroker(world, records)
                : new QueueBroker(world, records);
        Crew crew = new Crew(world);
        employWorkers(world, crew, store, database, broker);
        Load load = new Load(world, entrance(world, crew, store, broker));
        world.kernel().after(0, world.outside(), load::run);
        world.kernel().after(0, world.outside(), new FaultDriver(world, store, database, broker, crew)::run);
        if (world.setup().alone()) {
            keep(world, database);
        }
        world.kernel().sleep(FAULTS.toNanos());
        world.heal();
        store.speak();
        settle(world, load, broker);
    }

    /** Lets operators act and old rows be removed, as it happens where the inbox is the only store. */
    private static void keep(World world, Database database) {
        world.kernel().after(0, world.outside(), new Operator(world, database)::run);
        boolean early = world.setup().inboxFlaw() == InboxFlaw.CLEANED_TOO_EARLY;
        clean(world, database, early ? LOOK : RETENTION);
    }

    private static void clean(World world, Database database, Duration retention) {
        database.clean(retention);
        world.kernel().soon(LOOK.toNanos(), world.outside(), () -> clean(world, database, retention));
    }

    private static void employWorkers(
            World world, Crew crew, StoreServer store, Database database, Destination broker) {
        DeadLetterBox deadLetters = new DeadLetterBox(world);
        Provider provider = new Provider(world);
        for (int i = 0; i < world.setup().workers(); i++) {
            crew.employ(
                    "worker",
                    machine -> broker.consume(new Worker(world, machine, store, database, provider, deadLetters)));
        }
    }

    private static Entrance entrance(World world, Crew crew, StoreServer store, Destination broker) {
        if (!world.setup().intake()) {
            return new Producers(world, broker);
        }
        Clients clients = new Clients(world);
        for (int i = 0; i < INTAKES; i++) {
            crew.employ("intake", machine -> clients.serve(new Intake(world, machine, store, broker)));
        }
        return clients;
    }

    private static void settle(World world, Load load, Destination broker) {
        long end = world.kernel().now() + HEALING.toNanos();
        while (!(load.done() && broker.isEmpty())) {
            if (world.kernel().now() > end) {
                world.history().violation("stuck: there are still messages " + HEALING + " after the last fault");
                return;
            }
            world.kernel().sleep(LOOK.toNanos());
        }
        world.history().atTheEnd();
    }
}
