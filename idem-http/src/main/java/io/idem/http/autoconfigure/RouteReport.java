package io.idem.http.autoconfigure;

import io.idem.InboxTransaction;
import io.idem.http.IdempotentRoute;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.internal.PlainTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.http.HttpMethod;

/** Logs once, at start-up, the protection of each HTTP route, in the order in which the routes are tried. */
final class RouteReport implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(RouteReport.class);

    private final Supplier<Routes> routes;
    private final LaterFilterCheck laterFilters;

    /** Set when the routes are logged: the refresh of a management context on a port of its own reaches this listener too. */
    private final AtomicBoolean said = new AtomicBoolean();

    RouteReport(Supplier<Routes> routes, LaterFilterCheck laterFilters) {
        this.routes = routes;
        this.laterFilters = laterFilters;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        if (said.compareAndSet(false, true)) {
            report(routes.get());
        }
    }

    private void report(Routes routes) {
        List<IdempotentRoute> all = routes.all();
        if (!all.isEmpty()) {
            LOG.info("idem protects {} HTTP route(s){}", all.size(), lines(all, routes));
            String later = laterFilters.named(all);
            if (!later.isEmpty()) {
                LOG.info("idem gives replays without calling filters that stand behind its own: {}", later);
            }
        }
    }

    private static String lines(List<IdempotentRoute> all, Routes routes) {
        return all.stream()
                .map(route -> "\n  " + methods(route) + " " + route.path().getPatternString() + ": "
                        + routes.of(route).map(RouteReport::rules).orElse(""))
                .collect(Collectors.joining());
    }

    private static String methods(IdempotentRoute route) {
        return route.methods().stream().map(HttpMethod::name).sorted().collect(Collectors.joining(", "));
    }

    private static String rules(RouteOptions options) {
        return "scope " + options.scope()
                + ", key " + (options.required() ? "required" : "optional")
                + options.keySource().map(source -> ", from " + source.place()).orElse("")
                + (options.check() == RequestCheck.NONE ? "" : ", request checked first")
                + (options.verifiedBefore() ? ", sender verified before" : "")
                + ", duplicates of a running request "
                + (options.waitFor().isZero() ? "refused" : "wait for " + PlainTime.text(options.waitFor()))
                + ", kept for " + PlainTime.text(options.policy().retention())
                + (options.handOff() ? ", hand-off" : "")
                + (options.inbox() ? ", with inbox" : "")
                + (options.policy().attempts().transaction() == InboxTransaction.LAST_PHASE
                        ? " for its last phase"
                        : "");
    }
}
