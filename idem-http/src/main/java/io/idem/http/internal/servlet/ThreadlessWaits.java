package io.idem.http.internal.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.AbstractRequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * Tells which requests can wait without a thread: those for which a dispatch of type ASYNC is known to be as good as the first one. Warns
 * once of each reason why one cannot. Thread-safe.
 */
final class ThreadlessWaits {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadlessWaits.class);

    /** The responses of Tomcat and Jetty, and the wrappers of filters that leave the answer open while a request is asynchronous. */
    private static final Pattern KNOWN_RESPONSES = Pattern.compile(
            "(org\\.apache\\.catalina\\.connector|org\\.eclipse\\.jetty\\.ee\\w+\\.servlet|io\\.idem\\.http\\.internal"
                    + "|org\\.springframework\\.(boot|security|session|web\\.filter|web\\.servlet))\\..*");

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.web.FilterChainProxy", ThreadlessWaits.class.getClassLoader());

    private final Supplier<List<String>> missed;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** @param missed names the filters that may not be around a request that the container dispatches again */
    ThreadlessWaits(Supplier<List<String>> missed) {
        this.missed = missed;
    }

    /** Returns whether a request can be left to the container; if so, its caller is kept for the next dispatch. */
    boolean possible(HttpServletRequest request, HttpServletResponse response) {
        String obstacle = obstacle(request, response);
        if (!obstacle.isEmpty() && warned.add(obstacle)) {
            LOG.warn("Waiting requests hold a thread each, {}; otherwise keep idem.http.max-waiting low", obstacle);
        }
        return obstacle.isEmpty();
    }

    private String obstacle(HttpServletRequest request, HttpServletResponse response) {
        if (!missed.get().isEmpty()) {
            return "because the dispatcher type ASYNC, in which they go on, may pass by the filters " + missed.get()
                    + "; register each with a FilterRegistrationBean, or Spring Security by its setting, for REQUEST and ASYNC,"
                    + " and return false from shouldNotFilterAsyncDispatch of a OncePerRequestFilter";
        }
        String begun = begun(response);
        if (!begun.isEmpty()) {
            return "because a filter in front of the idempotency filter, which may end meanwhile what it has begun, uses "
                    + begun + "; register it behind";
        }
        return SECURED && !KeptSecurity.of(request, response)
                ? "because the chain's SecurityContextRepository loses their caller meanwhile; let it read a"
                        + " RequestAttributeSecurityContextRepository too, as Spring Security's default does"
                : "";
    }

    /** Names the outermost response that is not known, or else a bean that is destroyed with the dispatch; or returns an empty string. */
    private static String begun(ServletResponse response) {
        String unknown = unknown(response);
        if (!unknown.isEmpty()) {
            return unknown;
        }
        return RequestContextHolder.getRequestAttributes() instanceof AbstractRequestAttributes scope
                        && !Map.of()
                                .equals(new DirectFieldAccessor(scope).getPropertyValue("requestDestructionCallbacks"))
                ? "a bean of the request's scope"
                : "";
    }

    /** Names the outermost response that is not known, and may change what is written to it; or returns an empty string. */
    static String unknown(ServletResponse response) {
        String type = response.getClass().getName();
        if (!KNOWN_RESPONSES.matcher(type).matches()) {
            return type;
        }
        return response instanceof ServletResponseWrapper wrapper ? unknown(wrapper.getResponse()) : "";
    }

    /** The part that uses types of Spring Security, loaded only if they are present. */
    private static final class KeptSecurity {

        /** Keeps the caller where Spring Security looks for it in later dispatches, and returns whether it finds it there. */
        static boolean of(HttpServletRequest request, HttpServletResponse response) {
            SecurityContext context = SecurityContextHolder.getContext();
            new RequestAttributeSecurityContextRepository().saveContext(context, request, response);
            WebApplicationContext beans =
                    WebApplicationContextUtils.getRequiredWebApplicationContext(request.getServletContext());
            return context.getAuthentication() == null
                    || beans.getBeanProvider(FilterChainProxy.class).stream()
                            .flatMap(proxy -> proxy.getFilterChains().stream())
                            .filter(chain -> chain.matches(request))
                            .limit(1)
                            .flatMap(chain -> chain.getFilters().stream())
                            .filter(SecurityContextHolderFilter.class::isInstance)
                            .map(filter ->
                                    new DirectFieldAccessor(filter).getPropertyValue("securityContextRepository"))
                            .map(SecurityContextRepository.class::cast)
                            .anyMatch(known -> context.equals(
                                    known.loadDeferredContext(request).get()));
        }
    }
}
