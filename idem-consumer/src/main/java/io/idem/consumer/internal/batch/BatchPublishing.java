package io.idem.consumer.internal.batch;

import io.idem.Scope;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, once for each listener, of publications in a batch that do not say for which of its messages they are.
 * Thread-safe.
 */
final class BatchPublishing {

    private static final Logger LOG = LoggerFactory.getLogger(BatchPublishing.class);

    private final Scope scope;
    private final AtomicBoolean warned = new AtomicBoolean();

    BatchPublishing(Scope scope) {
        this.scope = scope;
    }

    void withoutContext(String destination) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "Scope \"{}\" publishes to {} while several messages of a batch run: what it publishes carries no key, and is not"
                            + " waited for before the batch is recorded as done. Publish inside context.call(...) of the message that it is"
                            + " about, with the contexts of BoundContexts.current(). This is said once",
                    scope,
                    destination);
        }
    }
}
