package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** A listener that is told of the context that settles, where the container would tell of its own. */
final class SettlingListener implements AsyncListener {

    private final AsyncListener listener;
    private final UnaryOperator<AsyncContext> settling;

    SettlingListener(AsyncListener listener, UnaryOperator<AsyncContext> settling) {
        this.listener = listener;
        this.settling = settling;
    }

    private AsyncEvent seen(AsyncEvent event) {
        return new AsyncEvent(
                settling.apply(event.getAsyncContext()),
                event.getSuppliedRequest(),
                event.getSuppliedResponse(),
                event.getThrowable());
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
        listener.onComplete(seen(event));
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
        listener.onTimeout(seen(event));
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
        listener.onError(seen(event));
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
        listener.onStartAsync(seen(event));
    }
}
