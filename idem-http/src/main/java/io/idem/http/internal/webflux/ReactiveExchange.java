package io.idem.http.internal.webflux;

import io.idem.IdempotencyContext;
import io.idem.RunningOperation;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.ObservedRequest;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Mono;

/**
 * A request whose key was granted, until it is settled, as its handler sees it: with a body that can still be read and a response that is
 * held back. Kept in the exchange's attributes. Used by several threads, one after the other.
 */
public final class ReactiveExchange extends ServerWebExchangeDecorator {

    private static final String ATTRIBUTE = ReactiveExchange.class.getName();

    private final RunningOperation operation;
    private final Optional<Principal> principal;
    private final ServerHttpRequest request;
    private final CapturedReactiveResponse response;
    private final Optional<MultiValueMap<String, String>> earlierForm;
    private final BufferedForms forms;
    private final HandlerRun handler;

    /**
     * Creates the exchange of a granted request.
     *
     * @param codecs codecs of forms and multipart bodies
     * @param reserved names of response headers that only the filter may set
     */
    ReactiveExchange(
            IncomingReactiveRequest incoming,
            ReactiveRequestBody read,
            RunningOperation operation,
            RouteOptions options,
            ServerCodecConfigurer codecs,
            Predicate<String> reserved) {
        super(incoming.exchange());
        ServerWebExchange exchange = incoming.exchange();
        this.principal = incoming.principal();
        this.operation = operation;
        this.handler = new HandlerRun(operation.context().record(), options, ObservedRequest.of(incoming));
        this.request =
                new BufferedReactiveRequest(exchange.getRequest(), read.body().bytes());
        this.response = new CapturedReactiveResponse(exchange.getResponse(), options.maxResponseBody(), reserved);
        this.earlierForm = read.form();
        this.forms = new BufferedForms(exchange, request, codecs);
        exchange.getAttributes().put(ATTRIBUTE, this);
        exchange.getAttributes().put(HandlerRun.ATTRIBUTE, handler);
    }

    static Optional<ReactiveExchange> of(ServerWebExchange exchange) {
        return Optional.ofNullable(exchange.getAttribute(ATTRIBUTE));
    }

    /** Returns the context of a request's operation; empty if the request runs unprotected. */
    public static Optional<IdempotencyContext> contextOf(ServerWebExchange exchange) {
        return of(exchange).map(guarded -> guarded.operation.context());
    }

    RunningOperation operation() {
        return operation;
    }

    /** Returns the view of this request. */
    IncomingReactiveRequest incoming() {
        return new IncomingReactiveRequest(this, principal);
    }

    HandlerRun handler() {
        return handler;
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public CapturedReactiveResponse getResponse() {
        return response;
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return earlierForm.map(Mono::just).orElseGet(forms::getFormData);
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        return forms.getMultipartData();
    }

    @Override
    public Mono<Void> cleanupMultipart() {
        return forms.cleanupMultipart();
    }
}
