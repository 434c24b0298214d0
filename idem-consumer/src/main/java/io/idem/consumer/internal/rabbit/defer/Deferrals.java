package io.idem.consumer.internal.rabbit.defer;

import io.idem.Scope;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.rabbit.DeferralSettings;
import io.idem.consumer.rabbit.DeferralStrategy;
import io.idem.consumer.rabbit.DeliveryLimits;
import io.idem.internal.spring.BeforeContainers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * Makes the {@link DeferralPolicy} of every container, and its delay queues before the first container starts.
 * Thread-safe.
 */
public final class Deferrals extends BeforeContainers {

    private final DeferralSettings settings;
    private final Duration confirmTimeout;
    private final DeliveryLimits limits;
    private final List<Runnable> preparations = new CopyOnWriteArrayList<>();

    /**
     * Makes the policies by the settings.
     *
     * @param confirmTimeout how long the broker may take to confirm a message to a delay queue
     * @param limits checks the queues of messages that wait in place
     */
    public Deferrals(DeferralSettings settings, Duration confirmTimeout, DeliveryLimits limits) {
        this.settings = settings;
        this.confirmTimeout = confirmTimeout;
        this.limits = limits;
    }

    /**
     * Makes the policy of a container that is being created.
     *
     * @param listener its name
     * @param scopes those of its listener's methods
     * @throws ListenerConfigurationException if a delay queue is wanted but cannot work, or if it consumes a stream
     */
    public DeferralPolicy of(String listener, Supplier<Set<Scope>> scopes, AbstractMessageListenerContainer container) {
        Supplier<List<String>> names = () -> List.of(container.getQueueNames());
        if (container.getConsumerArguments().keySet().stream().anyMatch(name -> name.startsWith("x-stream-"))) {
            throw stream(listener, names.get());
        }
        refuseStreams(listener, names);
        if (!settings.usesDelayQueues()
                || scopes.get().stream().noneMatch(scope -> settings.of(scope) == DeferralStrategy.DELAY_QUEUE)) {
            prepare(() -> limits.check(container));
            return new DeferralPolicy(settings, null, limits);
        }
        DelayQueues queues = new DelayQueues(settings, container.getConnectionFactory(), confirmTimeout);
        prepare(() -> List.of(container.getQueueNames()).forEach(queues::prepare));
        return new DeferralPolicy(settings, queues, limits);
    }

    /** Refuses queues that the application declares as streams, once all declarations are there. */
    public void refuseStreams(String listener, Supplier<List<String>> queues) {
        prepare(() -> limits.stream(queues.get()).ifPresent(queue -> {
            throw stream(listener, queue);
        }));
    }

    /** Refuses queues that the application declares so that they get their own dead letters back. */
    public void refuseLoops(String listener, Supplier<List<String>> queues) {
        prepare(() -> limits.loop(queues.get()).ifPresent(queue -> {
            throw new ListenerConfigurationException(
                    listener + " listens to " + queue
                            + ", which gets its own dead letters back: a message that idem rejects would go round for ever",
                    "Set idem.consumer.rabbit.dead-letter.exchange and idem.consumer.rabbit.dead-letter.routing-key to a queue in"
                            + " which they stay. Failures that the container rejects still go the way of the queue",
                    null);
        }));
    }

    /** Returns the policy by which every message waits on its delivering thread. */
    public DeferralPolicy inPlace() {
        return new DeferralPolicy(DeferralSettings.DEFAULTS, null, limits);
    }

    /** Refuses a stream, which takes a negative acknowledgement for an acknowledgement. */
    static ListenerConfigurationException stream(String listener, Object queue) {
        return new ListenerConfigurationException(
                listener + " listens to " + queue
                        + ", a stream, which cannot be given back one message: one that cannot run"
                        + " now would be lost",
                "Let a quorum queue get the messages, and listen to that. If the queue is no stream, and only has copies of a"
                        + " stream's messages, declare it in the application with its x-queue-type");
    }

    /** Prepares a container at start-up, or at once if it is created later. */
    private void prepare(Runnable preparation) {
        preparations.add(preparation);
        if (isRunning()) {
            preparation.run();
        }
    }

    @Override
    protected void prepare() {
        preparations.forEach(Runnable::run);
    }

    /** Started before listener containers, whose phase is by default the last. */
    @Override
    public int getPhase() {
        return 0;
    }
}
