package io.idem.gateway.service.internal.limits;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.concurrent.atomic.AtomicBoolean;

/** Permit of a request in flight, released once, when its answer has ended. */
final class Permit implements AsyncListener {

    private final InFlightLimit limit;
    private final AtomicBoolean taken = new AtomicBoolean(true);

    Permit(InFlightLimit limit) {
        this.limit = limit;
    }

    void leave() {
        if (taken.compareAndSet(true, false)) {
            limit.leave();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        leave();
    }

    /** The container forgets its listeners when a request that was dispatched goes asynchronous again. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // The request goes on until it is completed.
    }

    @Override
    public void onError(AsyncEvent event) {
        // The request goes on until it is completed.
    }
}
