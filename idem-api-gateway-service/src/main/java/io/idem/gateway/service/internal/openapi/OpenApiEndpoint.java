package io.idem.gateway.service.internal.openapi;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.databind.JsonNode;

/** Serves a description that is made at the first request, when all routes are known. Thread-safe. */
public final class OpenApiEndpoint {

    private final Supplier<? extends JsonNode> description;
    private volatile @Nullable String made;

    /** @param description may be called more than once, and must return the same each time */
    public OpenApiEndpoint(Supplier<? extends JsonNode> description) {
        this.description = description;
    }

    /** Returns the endpoint {@code GET path}. */
    public RouterFunction<ServerResponse> at(String path) {
        return RouterFunctions.route()
                .route(
                        RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD)
                                .and(RequestPredicates.path(path)),
                        request -> ServerResponse.ok()
                                .contentType(MediaType.APPLICATION_JSON)
                                .cacheControl(CacheControl.noCache())
                                .body(text()))
                .build();
    }

    private String text() {
        String known = made;
        if (known == null) {
            known = description.get().toString();
            made = known;
        }
        return known;
    }
}
