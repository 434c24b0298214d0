package io.idem.consumer.autoconfigure;

import io.idem.consumer.internal.call.BatchListeners;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Logs once, when the application has started, which listeners have no inbox because they take batches. */
final class UninboxedBatches implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(UninboxedBatches.class);

    private final BatchListeners batches;
    /** A management context on a port of its own is refreshed too, and its event reaches the parent context. */
    private final AtomicBoolean said = new AtomicBoolean();

    UninboxedBatches(BatchListeners batches) {
        this.batches = batches;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        Set<String> listeners = batches.names();
        if (!listeners.isEmpty() && said.compareAndSet(false, true)) {
            LOG.info(
                    "Batches have no inbox: a crash between the commit of {} and COMPLETED repeats the effects of the batch. Let the"
                            + " effects bear a repetition, for example by a unique key",
                    String.join(", ", listeners));
        }
    }
}
