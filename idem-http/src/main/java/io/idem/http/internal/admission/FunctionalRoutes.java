package io.idem.http.internal.admission;

import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of routes that are protected by a filter of their functional router. Only the router knows the paths; the options are made
 * here when the application's defaults have been checked. For adapters. Thread-safe.
 */
public final class FunctionalRoutes {

    private final List<Resolved> registered = new CopyOnWriteArrayList<>();
    private volatile @Nullable Function<Consumer<RouteOptions.Builder>, RouteOptions> resolver;

    /** Returns whether any functional route was registered. */
    public boolean any() {
        return !registered.isEmpty();
    }

    /**
     * Registers the routes of a router.
     *
     * @param refine change of the application's defaults into the options of the routes
     * @return supplier of the options; fails before {@link #resolveBy} was called
     */
    public Supplier<RouteOptions> register(Consumer<RouteOptions.Builder> refine) {
        Resolved options = new Resolved(refine);
        registered.add(options);
        return options;
    }

    /**
     * Makes the options of all routes registered so far, and later those of routes registered afterwards.
     *
     * @param known function from a change of the application's defaults to options; fails if they are not valid
     */
    public void resolveBy(Function<Consumer<RouteOptions.Builder>, RouteOptions> known) {
        resolver = known;
        for (Resolved routes : registered) {
            var unused = routes.resolve();
        }
    }

    /** Returns the routes that were registered so far. */
    public List<IdempotentRoute> routes() {
        return registered.stream()
                .map(one -> IdempotentRoute.post("/**").with(one.refine))
                .toList();
    }

    /**
     * Refuses a request to a function that takes the key from the request or checks its sender, if another route has protected it without
     * that.
     *
     * @param function options of the function
     * @param applied options of the route that protects the request; empty if none does
     * @throws IllegalStateException says what to do
     */
    public static void requireNotWeaker(RouteOptions function, Optional<RouteOptions> applied) {
        if (applied.filter(route -> route.isWeakerThan(function)).isPresent()) {
            throw new IllegalStateException(
                    "A function takes the key from the request or checks its sender, and a route of idem.http.routes or an"
                            + " IdempotentRoute bean protects its path without that; leave the path out of that route, or"
                            + " set key and check there");
        }
    }

    private final class Resolved implements Supplier<RouteOptions> {

        private final Consumer<RouteOptions.Builder> refine;
        private volatile @Nullable RouteOptions options;

        Resolved(Consumer<RouteOptions.Builder> refine) {
            this.refine = refine;
        }

        @Override
        public RouteOptions get() {
            RouteOptions known = options;
            return known != null ? known : resolve();
        }

        RouteOptions resolve() {
            Function<Consumer<RouteOptions.Builder>, RouteOptions> by = resolver;
            if (by == null) {
                throw new IllegalStateException(
                        "The options of functional routes are not known yet; call FunctionalRoutes.resolveBy at start-up");
            }
            RouteOptions made = by.apply(refine);
            options = made;
            return made;
        }
    }
}
