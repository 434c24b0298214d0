package io.idem.http.internal.webflux;

import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * A response that takes the key and runs the handler when it is written. So no key is taken for a response that is dropped, and the
 * handler's answer is settled when it is sent.
 */
public final class GuardedServerResponse implements ServerResponse {

    private final ServerRequest request;
    private final HandlerFunction<ServerResponse> next;
    private final Protection protection;
    private final RouteOptions options;

    public GuardedServerResponse(
            ServerRequest request, HandlerFunction<ServerResponse> next, Protection protection, RouteOptions options) {
        this.request = request;
        this.next = next;
        this.protection = protection;
        this.options = options;
    }

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatus.OK;
    }

    @Override
    public HttpHeaders headers() {
        return new HttpHeaders();
    }

    @Override
    public MultiValueMap<String, ResponseCookie> cookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
        return protection.handle(
                exchange,
                new Routes.Match(pattern(), request.pathVariables(), options),
                guarded -> next.handle(ServerRequest.create(guarded, request.messageReaders()))
                        .flatMap(response -> response.writeTo(guarded, context)));
    }

    private String pattern() {
        return request.attribute(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE)
                .map(Object::toString)
                .orElse("function");
    }
}
