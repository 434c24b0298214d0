package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.StoringPolicy;
import io.idem.http.internal.admission.RouteSource;
import io.idem.operations.ScopeRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * The routes of the application, collected and checked when every bean exists and before the first request.
 *
 * @param checked the routes as soon as they are checked
 */
record ApplicationRoutes(
        ConfiguredRoutes configured,
        ObjectProvider<IdempotentRoute> declared,
        ObjectProvider<RouteSource> sources,
        ExecutionPolicy policy,
        ScopePolicies scopes,
        ScopeRegistry registry,
        ObjectProvider<StartChecks> checks,
        RouteInboxes inboxes,
        Supplier<List<StoringPolicy>> policies,
        AtomicReference<@Nullable Routes> checked)
        implements Supplier<Routes>, SmartInitializingSingleton, ApplicationListener<ApplicationReadyEvent> {

    private static final String PARTICIPANT = "the HTTP idempotency filter";

    @Override
    public Routes get() {
        Routes known = checked.get();
        if (known == null) {
            throw new IllegalStateException("A request came before the application was started");
        }
        return known;
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            List<IdempotentRoute> all = new ArrayList<>(configured.routes());
            declared.orderedStream().forEach(all::add);
            sources.orderedStream().forEach(source -> all.addAll(source.routes()));
            Scope scope = all.isEmpty() ? new Scope("http") : checks.getObject().scope();
            all.replaceAll(this::refined);
            Routes routes = new Routes(all, configured.defaults(scope, policy), scopes);
            if (!all.isEmpty()) {
                checks.getObject().check(routes);
            }
            routes.options().forEach(options -> registry.register(options.scope(), PARTICIPANT, options.policy()));
            routes.options().stream().filter(RouteOptions::inbox).forEach(inboxes::open);
            checked.set(routes);
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "A route of the idempotency filter is not valid: " + invalid.getMessage(),
                    "Correct idem.http, the @Idempotent annotation, or the IdempotentRoute bean of that route.",
                    invalid);
        }
    }

    /** Refuses annotated handlers that runners registered, without a route, after the routes were read. */
    @Override
    public void onApplicationEvent(ApplicationReadyEvent started) {
        sources.orderedStream()
                .flatMap(source -> source.routes().stream())
                .filter(route -> !get().protect(route))
                .findFirst()
                .ifPresent(late -> {
                    throw new ConfigurationException(
                            "The handler of " + late + " is @Idempotent and not protected: it was registered after the"
                                    + " routes were read",
                            "Name the path in idem.http.routes, or register the handler in a SmartInitializingSingleton.");
                });
    }

    /** Returns a route with what the application says for all routes. */
    private IdempotentRoute refined(IdempotentRoute route) {
        return route.with(options -> {
            options.inboxIf(configured.inboxImplied());
            policies.get().forEach(options::storingIf);
        });
    }
}
