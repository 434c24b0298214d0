package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.HandlerAdapters;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.RouterParts;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;
import org.springframework.web.servlet.resource.DefaultServletHttpRequestHandler;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Calls the handlers of granted requests through the application's own adapters, and notes when the handler itself is called, which is
 * after all interceptors and, for a controller method, after its arguments are bound; for a function, behind the filters of its router.
 * Takes no part in other requests. Thread-safe.
 */
public final class HandlerCalls implements HandlerAdapter, BeanPostProcessor, Ordered {

    private final HandlerAdapters<HandlerAdapter> adapters =
            new HandlerAdapters<>(HandlerAdapter.class, HandlerCalls.class, NotingAdapter::inPlaceOf);

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return current().isPresent();
    }

    private static Optional<HandlerRun> current() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes bound
                ? awaited(bound.getRequest())
                : Optional.empty();
    }

    /** Returns the run of the handler that a request waits for; a page for an error is not that handler. */
    private static Optional<HandlerRun> awaited(HttpServletRequest request) {
        return ChainEnd.handlerOf(request).filter(run -> request.getDispatcherType() != DispatcherType.ERROR);
    }

    @Override
    public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws Exception {
        ApplicationContext context = Objects.requireNonNull(RequestContextUtils.findWebApplicationContext(request));
        HandlerAdapter adapter = adapters.first(context, candidate -> candidate.supports(handler))
                .orElseThrow(() -> new ServletException("No adapter for handler [" + handler + "]"));
        HandlerRun run = awaited(request).orElseThrow();
        boolean notesItself = handler instanceof HandlerFunction || adapter instanceof NotingAdapter;
        boolean ofResources =
                handler instanceof ResourceHttpRequestHandler || handler instanceof DefaultServletHttpRequestHandler;
        if (!notesItself && !ofResources) {
            run.called();
        }
        noteResult(WebAsyncUtils.getAsyncManager(request), run);
        ModelAndView view = adapter.handle(request, response, handler);
        if (request.isAsyncStarted()) {
            run.called();
        }
        return view;
    }

    /** Notes how the work ended that a handler left to another thread, in the dispatch that writes its result. */
    private static void noteResult(WebAsyncManager async, HandlerRun run) {
        if (async.getConcurrentResult() instanceof Throwable) {
            run.threw();
        } else if (async.hasConcurrentResult()) {
            run.returned();
        }
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
                                    ((RouterFunction<?>) own).route(request).map(HandlerCalls::noting))
                    .replaceIn(bean);
        }
        return bean;
    }

    private static HandlerFunction<ServerResponse> noting(HandlerFunction<?> function) {
        return request -> {
            Optional<HandlerRun> run = awaited(request.servletRequest());
            run.ifPresent(HandlerRun::called);
            ServerResponse response = function.handle(request);
            run.ifPresent(HandlerRun::returned);
            return response;
        };
    }

    /** A copy of the application's adapter of controller methods; an adapter of a class of its own is not copied. */
    private static final class NotingAdapter extends RequestMappingHandlerAdapter {

        static HandlerAdapter inPlaceOf(HandlerAdapter original) {
            if (original.getClass() != RequestMappingHandlerAdapter.class) {
                return original;
            }
            NotingAdapter copy = new NotingAdapter();
            ReflectionUtils.shallowCopyFieldState(original, copy);
            copy.setMessageConverters(((RequestMappingHandlerAdapter) original).getMessageConverters());
            copy.afterPropertiesSet();
            return copy;
        }

        @Override
        protected ServletInvocableHandlerMethod createInvocableHandlerMethod(HandlerMethod method) {
            return new NotingMethod(method);
        }
    }

    private static final class NotingMethod extends ServletInvocableHandlerMethod {

        NotingMethod(HandlerMethod method) {
            super(method);
        }

        @Override
        protected @Nullable Object doInvoke(@Nullable Object... arguments) throws Exception {
            Optional<HandlerRun> run = current();
            run.ifPresent(HandlerRun::called);
            Object value = super.doInvoke(arguments);
            run.ifPresent(HandlerRun::returned);
            return value;
        }
    }
}
