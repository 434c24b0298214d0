package io.idem.sim.world;

import io.idem.IdempotencyKey;
import io.idem.IdempotentExecutor;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.call.IdempotentListeners;
import io.idem.consumer.outage.StoreOutages;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.sim.kernel.Machine;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordId;
import java.util.List;

/** One process: the library's parts as an application has them, from the listener down to the store's client. */
final class Worker {

    private final World world;
    private final Machine machine;
    private final Delivering delivering;

    /** Made by a fiber of {@code machine}. */
    Worker(World world, Machine machine, StoreServer server, Database database, DeadLetterBox deadLetters) {
        this.world = world;
        this.machine = machine;
        IdempotencyStore store = store(world, server, machine);
        IdempotentListeners listeners = listeners(world, store, database);
        PaymentWork work = new PaymentWork(world, database);
        this.delivering = new Delivering(world, listeners, work, deadLetters);
    }

    /** The store as an application has it: with repetitions. */
    static IdempotencyStore store(World world, StoreServer server, Machine machine) {
        IdempotencyStore client = world.setup().flaw().inClient(new StoreClient(world, server, machine));
        IdempotencyStore retrying = new RetryingIdempotencyStore(
                client, RetrySettings.within(world.setup().policy().lease().dividedBy(3)));
        return world.setup().flaw().inEngine(new ObservedStore(retrying, world.history()));
    }

    private static IdempotentListeners listeners(World world, IdempotencyStore store, Database database) {
        IdempotentExecutor executor = new IdempotentExecutor(store, List::of, List.of());
        IdempotencyKey nobodys = IdempotencyKey.of("nobodys");
        ConsumerEvents events = new ConsumerEvents(List.of());
        StoreOutages outages =
                new StoreOutages(OutageSettings.DEFAULTS, scope -> store.inspect(new RecordId(nobodys, scope)), events);
        return new IdempotentListeners(
                executor,
                executor.async(Runnable::run),
                new TextCodec(),
                ConsumerSettings.of(world.setup().policy()),
                ScopePolicies.same(world.setup().policy()),
                List.of(),
                text -> PaymentListener.resolved(text, world.setup().flaw().consumersScope()),
                () -> database,
                outages);
    }

    Machine machine() {
        return machine;
    }

    World world() {
        return world;
    }

    void deliver(QueueConnection.Delivered delivered) {
        delivering.deliver(delivered);
    }
}
