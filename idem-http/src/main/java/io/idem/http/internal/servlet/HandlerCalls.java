package io.idem.http.internal.servlet;

import io.idem.ConfigurationException;
import io.idem.http.IdempotentRoute;
import io.idem.http.internal.admission.AnnotatedRoutes;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.HandlerAdapters;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.RouterParts;
import io.idem.http.internal.admission.StreamedMediaTypes;
import io.idem.http.internal.admission.SynchronousHandlers;
import io.idem.internal.method.HiddenMembers;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerAdapter;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.AsyncServerResponse;
import org.springframework.web.servlet.function.EntityResponse;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;
import org.springframework.web.servlet.resource.DefaultServletHttpRequestHandler;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.springframework.web.servlet.support.WebContentGenerator;

/**
 * Calls the handlers of granted requests through the application's own adapters, and notes when the handler itself is called, which is
 * after all interceptors and, for a controller method, after its arguments are bound; for a function, behind the filters of its router.
 * Takes no part in other requests, and refuses dispatcher servlets that would not ask it. Thread-safe.
 */
public final class HandlerCalls
        implements HandlerAdapter, BeanPostProcessor, ApplicationListener<ContextRefreshedEvent>, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerCalls.class);

    private final Set<DispatcherServlet> checked = ConcurrentHashMap.newKeySet();

    private final HandlerAdapters<HandlerAdapter> adapters =
            new HandlerAdapters<>(HandlerAdapter.class, HandlerCalls.class, NotingAdapter::inPlaceOf);

    public HandlerCalls() {
        HiddenMembers.checkOverrides(NotingAdapter.class);
        HiddenMembers.checkOverrides(NotingMethod.class);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return current().isPresent();
    }

    private static Optional<HandlerRun> current() {
        return bound().flatMap(ChainEnd::awaitedIn);
    }

    private static Optional<HttpServletRequest> bound() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes bound
                ? Optional.of(bound.getRequest())
                : Optional.empty();
    }

    @Override
    public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws Exception {
        ApplicationContext context = Objects.requireNonNull(RequestContextUtils.findWebApplicationContext(request));
        HandlerAdapter adapter = adapters.first(context, candidate -> candidate.supports(handler))
                .orElseThrow(() -> new ServletException("No adapter for handler [" + handler + "]"));
        HandlerRun run = ChainEnd.awaitedIn(request).orElseThrow();
        boolean notesItself = handler instanceof HandlerFunction || adapter instanceof NotingAdapter;
        boolean doesNothing = handler instanceof ResourceHttpRequestHandler
                || handler instanceof DefaultServletHttpRequestHandler
                || (handler instanceof WebContentGenerator generator
                        && generator.getSupportedMethods() != null
                        && !List.of(generator.getSupportedMethods()).contains(request.getMethod()));
        if (!notesItself && !doesNothing) {
            run.called();
        }
        if (!notesItself && handler instanceof HandlerMethod) {
            // A failure may be that of the method or that of its answer.
            run.committed();
        }
        try {
            ModelAndView view = adapter.handle(request, response, handler);
            if (!request.isAsyncStarted()) {
                HttpStatusCode ofView = view == null ? null : view.getStatus();
                run.returned(ofView == null ? response.getStatus() : ofView.value());
            }
            return view;
        } finally {
            run.said(response.getStatus());
        }
    }

    /** Notes how the work ended that a handler left to another thread, before its result is dispatched. */
    static void noteResult(WebAsyncManager async, HandlerRun run) {
        if (async.getConcurrentResult() instanceof Throwable) {
            run.threw();
        } else if (async.hasConcurrentResult()) {
            run.returned();
            if (async.getConcurrentResult() instanceof ResponseEntity<?> answer) {
                run.said(answer.getStatusCode());
            }
        } else {
            run.committed();
        }
    }

    /** Reaches the routers of dispatcher servlets that have contexts of their own, and refuses annotated handlers there without a route. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        ApplicationContext context = refreshed.getApplicationContext();
        if (context.getBeanNamesForType(HandlerCalls.class).length > 0) {
            return;
        }
        context.getBeansOfType(RouterFunctionMapping.class).values().forEach(HandlerCalls::noteCallsOf);
        Collection<RequestMappingInfoHandlerMapping> mappings =
                context.getBeansOfType(RequestMappingInfoHandlerMapping.class).values();
        for (IdempotentRoute route :
                new AnnotatedRoutes(() -> ServletMappedHandlers.in(mappings), () -> false).routes()) {
            if (!context.getBean(FilterParts.class).routes().get().protect(route)) {
                throw new ConfigurationException(
                        "The handler of " + route
                                + " is @Idempotent and not protected: its dispatcher servlet has a context"
                                + " of its own, where idem looks for no annotations",
                        "Name the path in idem.http.routes, or move the handler to the context of the application.");
            }
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RouterFunctionMapping mapping) {
            noteCallsOf(mapping);
        } else if (bean instanceof RequestMappingHandlerAdapter adapter) {
            ContextCallableInterceptor.addTo(adapter);
        } else if (bean instanceof HandlerExceptionResolverComposite resolvers) {
            BrokenConnections.addTo(resolvers);
        }
        Object servlet = bean instanceof ServletRegistrationBean<?> registration ? registration.getServlet() : bean;
        if (servlet instanceof DispatcherServlet dispatcher && checked.add(dispatcher)) {
            checkDetection(new DirectFieldAccessor(dispatcher), name);
        }
        return bean;
    }

    private static void checkDetection(DirectFieldAccessor servlet, String name) {
        if (Boolean.FALSE.equals(servlet.getPropertyValue("detectAllHandlerAdapters"))) {
            throw new ConfigurationException(
                    "The dispatcher servlet \"" + name
                            + "\" has detectAllHandlerAdapters=false: idem could not see which"
                            + " handler it calls, and would store none of its answers",
                    "Leave detectAllHandlerAdapters at true, or set idem.http.enabled=false.");
        }
        if (Boolean.FALSE.equals(servlet.getPropertyValue("detectAllHandlerMappings"))) {
            LOG.warn(
                    "The dispatcher servlet \"{}\" has detectAllHandlerMappings=false and may have other handlers than its context,"
                            + " which idem reads; leave it at true, or name paths in idem.http.routes",
                    name);
        }
    }

    private static void noteCallsOf(RouterFunctionMapping mapping) {
        new RouterParts(
                        RouterFunctions.class,
                        RouterFunction.class,
                        HandlerFunction.class,
                        function -> noting((HandlerFunction<?>) function),
                        own -> (RouterFunction<ServerResponse>) request ->
                                ((RouterFunction<?>) own).route(request).map(HandlerCalls::noting))
                .replaceIn(mapping);
    }

    private static HandlerFunction<ServerResponse> noting(HandlerFunction<?> function) {
        return request -> noted(ChainEnd.awaitedIn(request.servletRequest()), () -> function.handle(request));
    }

    /** Calls a handler, and notes that and how it ends. */
    private static <T extends @Nullable Object> T noted(Optional<HandlerRun> run, Callable<T> handler)
            throws Exception {
        run.ifPresent(HandlerRun::called);
        try {
            T value = handler.call();
            run.filter(of -> !later(value)).ifPresent(of -> {
                if (value instanceof ServerResponse response) {
                    of.returned(response.statusCode().value());
                } else {
                    of.returned();
                }
            });
            return value;
        } catch (Exception | Error failure) {
            run.ifPresent(HandlerRun::threw);
            throw failure;
        }
    }

    /** Returns whether a value may be work that is still to be done; without a value, the handler may have begun it itself. */
    private static boolean later(@Nullable Object value) {
        return (value == null && bound().filter(ServletRequest::isAsyncStarted).isPresent())
                || value instanceof AsyncServerResponse
                || (value instanceof ServerResponse response
                        && StreamedMediaTypes.include(
                                String.valueOf(response.headers().getContentType())))
                || SynchronousHandlers.goesOn(value instanceof EntityResponse<?> entity ? entity.entity() : value);
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
            Object value = noted(current(), () -> super.doInvoke(arguments));
            current().ifPresent(run -> run.said(getResponseStatus()));
            return value;
        }
    }
}
