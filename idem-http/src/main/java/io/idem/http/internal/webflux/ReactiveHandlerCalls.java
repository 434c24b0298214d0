package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.HandlerAdapters;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.RouterParts;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.util.ClassUtils;
import org.springframework.validation.method.MethodValidationResult;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.function.server.support.ServerResponseResultHandler;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Calls handlers through the application's own adapters, and notes when the handler of a granted request is called, which for a controller
 * method is after its arguments are bound, and for a function behind the filters of its router. Takes no part in other requests.
 * Thread-safe; does not block.
 */
public final class ReactiveHandlerCalls implements HandlerAdapter, BeanPostProcessor, Ordered {

    /**
     * The key of Reactor's context under which {@code Hooks.onOperatorError} is found for one subscription. It is not public; a test fails
     * if it changes.
     */
    private static final String ON_OPERATOR_ERROR = "reactor.onOperatorError.local";

    private final HandlerAdapters<HandlerAdapter> adapters =
            new HandlerAdapters<>(HandlerAdapter.class, ReactiveHandlerCalls.class, UnaryOperator.identity());

    private final ApplicationContext own;

    /** @param own context of the adapter, for exchanges that know none */
    public ReactiveHandlerCalls(ApplicationContext own) {
        this.own = own;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** Returns true for all handlers: which adapters there are is known by the exchange. */
    @Override
    public boolean supports(Object handler) {
        return true;
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        HandlerAdapter adapter = adapters.first(
                        Objects.requireNonNullElse(exchange.getApplicationContext(), own),
                        candidate -> candidate.supports(handler))
                .orElseThrow(() -> new IllegalStateException("No HandlerAdapter: " + handler));
        if (!(exchange.getAttribute(HandlerRun.ATTRIBUTE) instanceof HandlerRun run)) {
            return adapter.handle(exchange, handler);
        }
        run.reached();
        if (handler instanceof HandlerFunction || handler instanceof ResourceWebHandler) {
            return adapter.handle(exchange, handler);
        }
        run.called();
        return handler instanceof HandlerMethod method
                ? noting(adapter, exchange, method, run)
                : adapter.handle(exchange, handler).flatMap(new HandlerWork(run)::watched);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RouterFunctionMapping) {
            new RouterParts(
                            RouterFunctions.class,
                            RouterFunction.class,
                            HandlerFunction.class,
                            function -> noting((HandlerFunction<?>) function),
                            own -> (RouterFunction<ServerResponse>) request ->
                                    ((RouterFunction<?>) own).route(request).map(ReactiveHandlerCalls::noting))
                    .replaceIn(bean);
        } else if (bean instanceof ServerResponseResultHandler results) {
            results.setMessageWriters(results.getMessageWriters().stream()
                    .<HttpMessageWriter<?>>map(HandlerWork::watching)
                    .toList());
        }
        return bean;
    }

    private static HandlerFunction<ServerResponse> noting(HandlerFunction<?> function) {
        return request -> {
            Optional<HandlerRun> run = Optional.ofNullable(request.exchange().getAttribute(HandlerRun.ATTRIBUTE));
            return Mono.defer(() -> {
                        run.ifPresent(HandlerRun::called);
                        return function.handle(request);
                    })
                    .cast(ServerResponse.class)
                    .doOnError(failure -> run.ifPresent(HandlerRun::threw))
                    .doOnNext(response -> run.ifPresent(of -> new HandlerWork(of).gave(response)));
        };
    }

    /**
     * Notes afterwards that a method was not called: its arguments could not be bound, and an exception handler gave the result, or nothing
     * did. A method that itself throws fails where its arguments are given to it, unless they were found invalid there.
     */
    private static Mono<HandlerResult> noting(
            HandlerAdapter adapter, ServerWebExchange exchange, HandlerMethod method, HandlerRun run) {
        BiFunction<Throwable, @Nullable Object, Throwable> threw = (failure, arguments) -> {
            if (arguments instanceof Object[] bound
                    && fit(bound, method.getMethodParameters())
                    && !(failure instanceof MethodValidationResult refused
                            && refused.getMethod().equals(method.getMethod())
                            && !refused.isForReturnValue())) {
                run.threw();
            }
            return failure;
        };
        return adapter.handle(exchange, method)
                .flatMap(result -> result.getHandler() instanceof HandlerMethod called
                                && called.getMethod().equals(method.getMethod())
                        ? new HandlerWork(run).watched(result)
                        : Mono.just(result).doOnNext(other -> run.notCalled()))
                .doOnError(failure -> run.notCalled())
                .contextWrite(context -> context.put(ON_OPERATOR_ERROR, threw));
    }

    private static boolean fit(Object[] arguments, MethodParameter[] parameters) {
        return arguments.length == parameters.length
                && IntStream.range(0, arguments.length)
                        .allMatch(index ->
                                ClassUtils.isAssignableValue(parameters[index].getParameterType(), arguments[index]));
    }
}
