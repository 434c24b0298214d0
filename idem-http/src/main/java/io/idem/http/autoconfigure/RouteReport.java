package io.idem.http.autoconfigure;

import io.idem.InboxTransaction;
import io.idem.http.IdempotentRoute;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.FingerprintRules;
import io.idem.http.internal.admission.MappedHandler;
import io.idem.http.internal.admission.MappedHandlers;
import io.idem.internal.PlainTime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;

/**
 * Logs once, at start-up, the protection of each HTTP route, in the order in which the routes are tried, and what they cannot see.
 *
 * @param application the routes' own context: a context below it tells of its refresh here too, which may come before the routes are known
 */
record RouteReport(
        Supplier<Routes> routes,
        StartChecks checks,
        MappedHandlers handlers,
        IdemHttpProperties properties,
        Environment environment,
        ApplicationContext application)
        implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(RouteReport.class);

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        if (started.getApplicationContext() == application) {
            List<IdempotentRoute> all = routes.get().all();
            warn(
                    "No controller method is mapped to the routes {}; unless a function or a servlet is, name paths"
                            + " without context path and servlet path",
                    all.stream()
                            .flatMap(route ->
                                    handlers.meantBy(route).map(place -> route + " (" + place + "?)").stream()));
            warn(
                    "A RequestCondition selects among the handlers of the routes {}, and what it reads is not compared: one"
                            + " handler may give the answer of another; name its headers in fingerprint.headers",
                    all.stream().filter(this::isChosenUnseen).map(IdempotentRoute::toString));
            warn(
                    "The routes of @Idempotent handlers protect handlers that are not @Idempotent: {}. Annotate those too,"
                            + " or give them a path that the other pattern does not match, as with {id:[0-9]+}; a path in"
                            + " idem.http.routes says that it is meant",
                    all.stream().filter(this::isNotNamed).flatMap(route -> handlers.protectedBy(route, all)));
            if (environment.getProperty("idem.observability.start-up-report", Boolean.class, true)) {
                report(routes.get());
            }
        }
    }

    private static void warn(String message, Stream<String> found) {
        String all = found.collect(Collectors.joining(", "));
        if (!all.isEmpty()) {
            LOG.warn(message, all);
        }
    }

    private boolean isNotNamed(IdempotentRoute route) {
        return properties.routes().stream()
                .noneMatch(named -> named.path().equals(route.path().getPatternString()));
    }

    /**
     * Returns whether a condition of the application's own selects one of the route's handlers by what the fingerprint cannot have. A
     * fingerprinter of the application, which replaces idem's bean, may have it.
     */
    private boolean isChosenUnseen(IdempotentRoute route) {
        return handlers.reads(route).contains(MappedHandler.OWN)
                && routes.get()
                        .of(route)
                        .filter(options -> options.fingerprinter()
                                .map(rules -> rules instanceof FingerprintRules known
                                        && known.headers().isEmpty())
                                .orElseGet(() -> application.containsBean("idemRequestFingerprinter")))
                        .isPresent();
    }

    private void report(Routes routes) {
        List<IdempotentRoute> all = routes.all();
        if (!all.isEmpty()) {
            LOG.info("idem protects {} HTTP route(s){}", all.size(), lines(all, routes));
            String later = checks.laterFilters(all);
            if (!later.isEmpty()) {
                LOG.info("idem gives replays without calling filters that stand behind its own: {}", later);
            }
        }
    }

    private String lines(List<IdempotentRoute> all, Routes routes) {
        return all.stream()
                .map(route -> "\n  " + route + ": "
                        + routes.of(route)
                                .map(options -> rules(options) + uncounted(route, options))
                                .orElse(""))
                .collect(Collectors.joining());
    }

    /** Returns what handlers of the route read and neither tenant nor key nor fingerprint has: a difference there is not seen. */
    private String uncounted(IdempotentRoute route, RouteOptions options) {
        Set<String> reads = handlers.reads(route);
        Set<String> counted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        counted.addAll(properties.tenantParts());
        counted.add("header:" + properties.headers().key());
        counted.add("header:" + properties.tenantFrom().header());
        counted.add("header:" + HttpHeaders.AUTHORIZATION);
        FingerprintRules.headersOf(options).forEach(name -> counted.add("header:" + name));
        reads.removeIf(name ->
                counted.contains(name.startsWith("cookie:") ? "header:Cookie" : name) || counted.contains(name));
        return reads.isEmpty() || options.keySource().isPresent()
                ? ""
                : ", not compared though handlers read it: " + String.join(", ", reads);
    }

    private static String rules(RouteOptions options) {
        return "scope " + options.scope()
                + ", key " + (options.required() ? "required" : "optional")
                + options.keySource().map(source -> ", from " + source.place()).orElse("")
                + (options.check() == RequestCheck.NONE ? "" : ", request checked first")
                + (options.verifiedBefore() ? ", sender verified before" : "")
                + ", duplicates of a running request "
                + (options.waitFor().isZero() ? "refused" : "wait for " + PlainTime.text(options.waitFor()))
                + (options.inProgressStatus() == 409 ? "" : " with " + options.inProgressStatus())
                + ", kept for " + PlainTime.text(options.policy().retention())
                + (options.handOff() ? ", hand-off" : "")
                + (options.inbox() ? ", with inbox" : "")
                + (options.policy().attempts().transaction() == InboxTransaction.LAST_PHASE
                        ? " for its last phase"
                        : "");
    }
}
