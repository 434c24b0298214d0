package io.idem.http.internal.admission;

import io.idem.http.RouteOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes that are protected by a filter of their functional router. Their paths are known to the router only; here they get their
 * options, when the application's defaults have been checked. For adapters. Thread-safe.
 */
public final class FunctionalRoutes {

    private final List<Resolved> registered = new CopyOnWriteArrayList<>();
    private volatile @Nullable Function<Consumer<RouteOptions.Builder>, RouteOptions> resolver;

    /** Whether there may be any. */
    public boolean any() {
        return !registered.isEmpty();
    }

    /**
     * Announces routes of one router.
     *
     * @param refine makes their options from the application's defaults
     * @return their options; fails before {@link #resolveBy} was called
     */
    public Supplier<RouteOptions> register(Consumer<RouteOptions.Builder> refine) {
        Resolved options = new Resolved(refine);
        registered.add(options);
        return options;
    }

    /**
     * Makes the options of all routes announced so far, and later those of every other.
     *
     * @param known makes options from the application's defaults, refined as asked; fails if they are not valid
     */
    public void resolveBy(Function<Consumer<RouteOptions.Builder>, RouteOptions> known) {
        resolver = known;
        for (Resolved routes : registered) {
            var unused = routes.resolve();
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
