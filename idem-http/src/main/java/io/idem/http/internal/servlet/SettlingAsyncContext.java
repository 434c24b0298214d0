package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** An asynchronous context that settles before {@link #complete()}: no dispatch follows, and the held answer would be lost. */
final class SettlingAsyncContext implements AsyncContext {

    private final AsyncContext context;
    private final Runnable beforeComplete;

    SettlingAsyncContext(AsyncContext context, Runnable beforeComplete) {
        this.context = context;
        this.beforeComplete = beforeComplete;
    }

    @Override
    public void complete() {
        beforeComplete.run();
        context.complete();
    }

    @Override
    public ServletRequest getRequest() {
        return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return context.hasOriginalRequestAndResponse();
    }

    @Override
    public void dispatch() {
        context.dispatch();
    }

    @Override
    public void dispatch(String path) {
        context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext servletContext, String path) {
        context.dispatch(servletContext, path);
    }

    @Override
    public void start(Runnable run) {
        context.start(run);
    }

    @Override
    public void addListener(AsyncListener listener) {
        context.addListener(settling(listener));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        context.addListener(settling(listener), request, response);
    }

    private AsyncListener settling(AsyncListener listener) {
        return new SettlingListener(listener, told -> new SettlingAsyncContext(told, beforeComplete));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return context.createListener(type);
    }

    @Override
    public void setTimeout(long timeout) {
        context.setTimeout(timeout);
    }

    @Override
    public long getTimeout() {
        return context.getTimeout();
    }

    /** A listener whose events carry the settling context in place of the container's. */
    private static final class SettlingListener implements AsyncListener {

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
}
