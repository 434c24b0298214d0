package io.idem.http.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.InboxTransaction;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.StoringPolicy;
import io.idem.http.internal.admission.RouteSource;
import io.idem.internal.RefusedSettingException;
import io.idem.operations.ScopeRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** The routes of the application, collected and checked when every bean exists and before the first request. */
final class ApplicationRoutes implements Supplier<Routes>, SmartInitializingSingleton {

    private static final String PARTICIPANT = "the HTTP idempotency filter";

    private final ConfiguredRoutes configured;
    private final ObjectProvider<IdempotentRoute> declared;
    private final ObjectProvider<RouteSource> sources;
    private final ExecutionPolicy policy;
    private final ScopePolicies scopes;
    private final ScopeRegistry registry;
    private final Supplier<Preconditions> preconditions;
    private final ObjectProvider<StartCheck> checks;
    private final RouteInboxes inboxes;
    private final Predicate<InboxTransaction> inboxImplied;
    private final Supplier<List<StoringPolicy>> policies;
    private volatile @Nullable Routes routes;

    /** @param inboxImplied as in {@link RouteInboxes#implied} */
    ApplicationRoutes(
            ConfiguredRoutes configured,
            ObjectProvider<IdempotentRoute> declared,
            ObjectProvider<RouteSource> sources,
            ExecutionPolicy policy,
            ScopePolicies scopes,
            ScopeRegistry registry,
            Supplier<Preconditions> preconditions,
            ObjectProvider<StartCheck> checks,
            RouteInboxes inboxes,
            Predicate<InboxTransaction> inboxImplied,
            Supplier<List<StoringPolicy>> policies) {
        this.configured = configured;
        this.declared = declared;
        this.sources = sources;
        this.policy = policy;
        this.scopes = scopes;
        this.registry = registry;
        this.preconditions = preconditions;
        this.checks = checks;
        this.inboxes = inboxes;
        this.inboxImplied = inboxImplied;
        this.policies = policies;
    }

    @Override
    public Routes get() {
        Routes known = routes;
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
            Scope scope =
                    all.isEmpty() ? new Scope("http") : preconditions.get().check();
            all.replaceAll(this::refined);
            Routes checked = new Routes(all, configured.defaults(scope, policy), scopes);
            if (!checked.all().isEmpty()) {
                checks.forEach(check -> check.check(checked));
            }
            checked.options().forEach(options -> registry.register(options.scope(), PARTICIPANT, options.policy()));
            checked.options().stream().filter(RouteOptions::inbox).forEach(inboxes::open);
            routes = checked;
        } catch (IllegalArgumentException invalid) {
            throw new RefusedSettingException(
                    "A route of the idempotency filter is not valid: " + invalid.getMessage(),
                    "Correct idem.http, the @Idempotent annotation, or the IdempotentRoute bean of that route.",
                    invalid);
        }
    }

    /** Returns a route with what the application says for all routes. */
    private IdempotentRoute refined(IdempotentRoute route) {
        IdempotentRoute refined = route.with(options -> options.inboxIf(inboxImplied));
        for (StoringPolicy asked : policies.get()) {
            refined = refined.with(options -> options.storingIf(asked));
        }
        return refined;
    }
}
