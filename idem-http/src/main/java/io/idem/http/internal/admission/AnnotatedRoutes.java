package io.idem.http.internal.admission;

import io.idem.http.IdempotentRoute;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The routes of handler methods that carry {@link io.idem.Idempotent}, themselves or by their class.
 *
 * @param mapped supplier of the handler methods of the application
 * @param inboxAlways says whether every route has the inbox, because it is the store
 */
public record AnnotatedRoutes(Supplier<List<MappedHandler>> mapped, BooleanSupplier inboxAlways)
        implements RouteSource {

    @Override
    public List<IdempotentRoute> routes() {
        return mapped.get().stream()
                .flatMap(one -> AnnotatedHandler.routes(one, inboxAlways.getAsBoolean()).stream())
                .toList();
    }

    @Override
    public List<MappedHandler> handlers() {
        return mapped.get();
    }
}
