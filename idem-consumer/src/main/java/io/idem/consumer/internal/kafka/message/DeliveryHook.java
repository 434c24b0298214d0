package io.idem.consumer.internal.kafka.message;

import java.util.Collection;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/**
 * A delivery hook in the place of a container's own listener, which it calls in the shape that this one takes.
 *
 * @param <D> a record or a batch of them
 */
public abstract class DeliveryHook<D, L extends GenericMessageListener<D>>
        extends AbstractDelegatingMessageListenerAdapter<L> implements GenericMessageListener<D> {

    /** The container's own listener, behind the advices of the application. */
    protected final AdvisedListener<L> listener;

    /** Records that the listener has not acknowledged; null where the container or the listener's adapter acknowledges. */
    protected final @Nullable OpenOffsets open;

    protected DeliveryHook(AdvisedListener<L> listener, @Nullable OpenOffsets open) {
        super(listener.listener());
        this.listener = listener;
        this.open = open;
    }

    /** Returns the container's own listener, behind the advices of the application. */
    public AdvisedListener<L> advised() {
        return listener;
    }

    /** Calls the listener with what is to run. */
    protected void callListener(D data, @Nullable Acknowledgment said, @Nullable Consumer<?, ?> consumer) {
        L called = listener.called();
        switch (delegateType) {
            case ACKNOWLEDGING_CONSUMER_AWARE -> called.onMessage(data, said, consumer);
            case ACKNOWLEDGING -> called.onMessage(data, said);
            case CONSUMER_AWARE -> called.onMessage(data, consumer);
            default -> called.onMessage(data);
        }
    }

    @Override
    public abstract void onMessage(D data, @Nullable Acknowledgment container, @Nullable Consumer<?, ?> consumer);

    /** A container calls the method that its own listener has. */
    @Override
    public void onMessage(D data) {
        onMessage(data, null, null);
    }

    @Override
    public void onMessage(D data, @Nullable Acknowledgment container) {
        onMessage(data, container, null);
    }

    @Override
    public void onMessage(D data, @Nullable Consumer<?, ?> consumer) {
        onMessage(data, null, consumer);
    }

    @Override
    public void onPartitionsRevoked(@Nullable Collection<TopicPartition> partitions) {
        super.onPartitionsRevoked(partitions);
        if (open != null && partitions != null) {
            open.revoked(partitions);
        }
    }

    @Override
    public void unregisterSeekCallback() {
        super.unregisterSeekCallback();
        if (open != null) {
            open.consumerEnded();
        }
    }
}
