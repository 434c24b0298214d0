package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.HandlerRun;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.function.server.EntityResponse;
import org.springframework.web.reactive.function.server.RenderingResponse;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.Rendering;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * The work of a handler, seen through what the handler returned: an error that its publishers emit is the work's, and every other error once
 * they have given a value is the answer's. A publisher to which nobody subscribed has done nothing. Thread-safe.
 */
record HandlerWork(HandlerRun run) {

    /** Returns a result whose publishers are watched, once work that was begun before, as that of a stage, has ended. */
    Mono<HandlerResult> watched(HandlerResult result) {
        DispatchExceptionHandler answering = result.getExceptionHandler();
        return watched(result.getReturnValue())
                .map(value -> new HandlerResult(
                        result.getHandler(), value, result.getReturnTypeSource(), result.getBindingContext()))
                .defaultIfEmpty(result)
                .map(watched -> watched.setExceptionHandler((exchange, failure) -> {
                    run.said(exchange.getResponse().getStatusCode());
                    run.failed();
                    return answering == null ? Mono.error(failure) : answering.handleError(exchange, failure);
                }));
    }

    private Mono<Object> watched(@Nullable Object value) {
        ReactiveAdapter adapter = adapterOf(value);
        if (adapter != null) {
            Publisher<?> work = noted(adapter.toPublisher(value), this::note);
            Object watched = adapter.fromPublisher(work instanceof Mono<?> one ? one.flatMap(this::watched) : work);
            return adapter.getDescriptor().isDeferred()
                    ? Mono.just(watched)
                    : Mono.from(adapter.toPublisher(watched)).onErrorComplete().thenReturn(watched);
        }
        if (value instanceof HttpEntity<?> entity && adapterOf(entity.getBody()) != null) {
            return watched(entity.getBody())
                    .map(body -> entity instanceof ResponseEntity<?> response
                            ? new ResponseEntity<>(body, response.getHeaders(), response.getStatusCode())
                            : new HttpEntity<>(body, entity.getHeaders()));
        }
        if (!(value instanceof Rendering view) || areDone(view.modelAttributes())) {
            run.returned();
        }
        return Mono.justOrEmpty(value);
    }

    private static Publisher<?> noted(Publisher<?> work, Consumer<Signal<?>> note) {
        return work instanceof Mono<?> one
                ? one.doOnEach(note)
                : Flux.from(work).doOnEach(note);
    }

    private static @Nullable ReactiveAdapter adapterOf(@Nullable Object value) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, value);
    }

    private static boolean areDone(Map<String, ?> attributes) {
        return attributes.values().stream().allMatch(attribute -> adapterOf(attribute) == null);
    }

    private void note(Signal<?> signal) {
        if (signal.isOnError()) {
            run.threw();
        } else {
            run.responded();
        }
    }

    /**
     * Notes that a function has given a response: its work is done, but for a body that a {@linkplain #watching watching} writer gets. A
     * function that writes the body, or a publisher in the model, may have the work before it.
     */
    void gave(ServerResponse response) {
        if (response instanceof EntityResponse<?> answer && adapterOf(answer.entity()) != null) {
            run.responded();
            run.said(response.statusCode());
        } else if (response instanceof EntityResponse
                || (response instanceof RenderingResponse view && areDone(view.model()))) {
            run.returned(response.statusCode().value());
        }
    }

    /** Returns a writer that watches the bodies that functions give to it, for the run in Reactor's context. */
    static HttpMessageWriter<?> watching(HttpMessageWriter<?> writer) {
        return (HttpMessageWriter<?>) Proxy.newProxyInstance(
                HttpMessageWriter.class.getClassLoader(),
                new Class<?>[] {HttpMessageWriter.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        arguments[0] = noted((Publisher<?>) arguments[0], HandlerWork::noteInContext);
                    }
                    return ReflectionUtils.invokeMethod(method, writer, arguments);
                });
    }

    private static void noteInContext(Signal<?> signal) {
        signal.getContextView().<HandlerWork>getOrEmpty(HandlerWork.class).ifPresent(work -> work.note(signal));
    }
}
