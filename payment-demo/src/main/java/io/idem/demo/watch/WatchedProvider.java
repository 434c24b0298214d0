package io.idem.demo.watch;

import io.idem.IdempotencyContext;
import io.idem.demo.provider.ProviderCalled;
import io.idem.demo.watch.WorkerEvent.What;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Logs every call of the provider, under the key of the work that makes it. */
@Component
class WatchedProvider {

    private final WorkerLog log;

    WatchedProvider(WorkerLog log) {
        this.log = log;
    }

    @EventListener
    void called(ProviderCalled call) {
        IdempotencyContext attempt = IdempotencyContext.current().orElseThrow();
        log.write(What.CALLED, attempt.scope().name(), attempt.key().id(), call.key(), attempt.fence());
    }
}
