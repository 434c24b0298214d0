package io.idem.http.internal.admission;

import io.idem.http.IdempotentRoute;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The routes of handler methods that carry {@link io.idem.Idempotent}, themselves or by their class. */
public final class AnnotatedRoutes implements RouteSource {

    private final Supplier<List<MappedHandler>> mapped;
    private final BooleanSupplier inboxAlways;

    /**
     * Creates the source of the routes of these handlers.
     *
     * @param mapped supplier of all handler methods of the application
     * @param inboxAlways says whether every route has the inbox, because it is the store
     */
    public AnnotatedRoutes(Supplier<List<MappedHandler>> mapped, BooleanSupplier inboxAlways) {
        this.mapped = mapped;
        this.inboxAlways = inboxAlways;
    }

    @Override
    public List<IdempotentRoute> routes() {
        return handlers().stream()
                .flatMap(mapping -> AnnotatedHandler.routes(mapping, inboxAlways.getAsBoolean()).stream())
                .toList();
    }

    @Override
    public List<MappedHandler> handlers() {
        return mapped.get();
    }
}
