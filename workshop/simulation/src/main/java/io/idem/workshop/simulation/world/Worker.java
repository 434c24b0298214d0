package io.idem.workshop.simulation.world;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.internal.call.DirectCalls;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.DeliveriesInProgress;
import io.idem.consumer.internal.guard.IdempotentListenerAdvisor;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.engine.IdempotentExecutor;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.List;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** A process with the library's parts as in an application, from the listener down to the store's client. */
final class Worker {

    private final Machine machine;
    private final Delivering delivering;
    private final LogHandler records;

    /** Creates a worker. Must be called by a fiber of {@code machine}. */
    Worker(
            World world,
            Machine machine,
            StoreServer server,
            Database database,
            Provider provider,
            DeadLetterBox deadLetters) {
        this.machine = machine;
        IdempotencyStore store =
                world.setup().alone() ? new RowsAsStore(world, database) : store(world, server, machine);
        IdempotentListeners listeners = listeners(world, store, database);
        Payments payments =
                guarded(listeners, new PaymentWork(world, database, new Events(world), new Steps(world, provider)));
        this.delivering = new Delivering(world, listeners, payments, deadLetters);
        this.records = new LogHandler(world, payments, deadLetters);
    }

    private static Payments guarded(IdempotentListeners listeners, PaymentWork work) {
        Setup setup = work.world().setup();
        Payments bean = setup.inbox() && !setup.alone() ? new PaymentListener.Inboxed(work) : new PaymentListener(work);
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.addAdvisor(new IdempotentListenerAdvisor(() -> listeners, new DefaultListableBeanFactory()));
        return (Payments) proxy.getProxy(Worker.class.getClassLoader());
    }

    /** Returns the store as an application uses it, with repetitions. */
    static IdempotencyStore store(World world, StoreServer server, Machine machine) {
        IdempotencyStore client = world.setup().flaw().inClient(new StoreClient(world, server, machine));
        IdempotencyStore retrying = new RetryingIdempotencyStore(
                client, RetrySettings.within(world.setup().policy().lease().dividedBy(3)));
        return world.setup().flaw().inEngine(new ObservedStore(retrying, world));
    }

    private static IdempotentListeners listeners(World world, IdempotencyStore store, Database database) {
        IdempotentExecutor.Builder parts = IdempotentExecutor.on(store).transports(() -> List.of(new Events(world)));
        IdempotentExecutor executor = (world.setup().alone() ? parts.inbox(database) : parts).build();
        IdempotencyKey nobodys = IdempotencyKey.of("nobodys");
        ConsumerEvents events = new ConsumerEvents(List.of());
        StoreOutages outages = new StoreOutages(
                OutageSettings.DEFAULTS, scope -> store.inspect(new RecordId(nobodys, scope)), () -> {}, events);
        return new IdempotentListeners(
                executor,
                executor.async(Runnable::run),
                new TextCodec(),
                ConsumerSettings.of(world.setup().policy()),
                ScopePolicies.same(world.setup().policy()),
                List.of(),
                (text, bean) ->
                        PaymentListener.resolved(text, world.setup().flaw().consumersScope()),
                () -> database,
                outages,
                DirectCalls.of(DirectCallPolicy.REFUSE),
                new DeliveriesInProgress());
    }

    Machine machine() {
        return machine;
    }

    void deliver(QueueConnection.Delivered delivered) {
        delivering.deliver(delivered);
    }

    Duration handle(String key, int offset, LogConsumer.Failures failures) {
        return records.handle(key, offset, failures);
    }
}
