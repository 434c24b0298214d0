package io.idem.http.autoconfigure;

import io.idem.http.OperationStatus;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.util.ClassUtils;

/**
 * The runtime hints of this module for native images: types that are written as JSON, the page that explains problems, the target of a
 * filter that stands for a bean, and classes whose presence is checked at run time. Without the latter, an application with Spring Security
 * would be treated as one without.
 */
final class HttpRuntimeHints implements RuntimeHintsRegistrar {

    private static final String RESPONSE = "jakarta.servlet.http.HttpServletResponse";

    private static final List<String> LIBRARIES = List.of(
            "org.springframework.security.web.SecurityFilterChain",
            "org.springframework.security.web.csrf.CsrfToken",
            "org.springframework.security.web.server.csrf.CsrfToken",
            "org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal",
            "org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken",
            "org.springframework.http.server.reactive.ContextPathCompositeHandler",
            "org.springframework.web.filter.DelegatingFilterProxy",
            "org.springframework.web.servlet.DispatcherServlet",
            "reactor.netty.Connection");

    /** Spring's adapter of controller methods, which is copied with the fields of its superclasses. */
    private static final List<String> COPIED = List.of(
            "org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter",
            "org.springframework.web.servlet.mvc.method.AbstractHandlerMethodAdapter",
            "org.springframework.web.servlet.support.WebContentGenerator",
            "org.springframework.web.context.support.WebApplicationObjectSupport",
            "org.springframework.context.support.ApplicationObjectSupport");

    /** Spring's routers of functions, of which others are made. */
    private static final List<String> ROUTERS = List.of(
            "AttributesRouterFunction",
            "DefaultNestedRouterFunction",
            "DefaultRouterFunction",
            "DifferentComposedRouterFunction",
            "FilteredRouterFunction",
            "ResourcesRouterFunction",
            "SameComposedRouterFunction");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), OperationStatus.class);
        hints.resources().registerPattern("META-INF/resources/idem/*");
        hints.reflection()
                .registerType(
                        SigningSecrets.class,
                        MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                        MemberCategory.INVOKE_PUBLIC_METHODS);
        LIBRARIES.forEach(library ->
                hints.reflection().registerTypeIfPresent(classLoader, library, MemberCategory.ACCESS_DECLARED_FIELDS));
        Stream<String> routers = Stream.of(
                        "org.springframework.web.servlet.function.",
                        "org.springframework.web.reactive.function.server.")
                .flatMap(stack -> Stream.concat(
                        Stream.of(
                                stack + "support.RouterFunctionMapping",
                                stack + "RouterFunctionBuilder$BuiltRouterFunction"),
                        ROUTERS.stream().map(router -> stack + "RouterFunctions$" + router)));
        Stream.concat(COPIED.stream(), routers)
                .forEach(type -> hints.reflection()
                        .registerTypeIfPresent(
                                classLoader,
                                type,
                                MemberCategory.ACCESS_DECLARED_FIELDS,
                                MemberCategory.INVOKE_DECLARED_CONSTRUCTORS));
        if (ClassUtils.isPresent("org.reactivestreams.Publisher", classLoader)) {
            hints.proxies().registerJdkProxy(HttpMessageWriter.class);
            hints.reflection().registerType(HttpMessageWriter.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        if (ClassUtils.isPresent(RESPONSE, classLoader)) {
            hints.proxies()
                    .registerJdkProxy(HttpServletResponse.class)
                    .registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(AsyncContext.class))
                    .registerJdkProxy(AopProxyUtils.completeJdkProxyInterfaces(AsyncListener.class));
            Stream.of(HttpServletResponse.class, ServletResponse.class, AsyncContext.class, AsyncListener.class)
                    .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        }
    }
}
