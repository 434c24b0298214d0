package io.idem.http.outgoing;

import java.util.function.Consumer;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * Adds keys to {@code WebClient} calls: {@code WebClient.builder().apply(filter)}. A call belongs to the work on whose thread its request
 * is begun ({@code client.post()}), on whatever thread it is subscribed to; another subscription, as by {@code retry()}, sends the same
 * key. Requests begun on a thread of Reactor's belong to no work: wrap that part in {@code IdempotencyContext.call}. Thread-safe.
 */
public final class OutgoingKeyExchangeFilter implements ExchangeFilterFunction, Consumer<WebClient.Builder> {

    private final OutgoingKeys keys;

    /** Creates a filter that adds these keys. */
    public OutgoingKeyExchangeFilter(OutgoingKeys keys) {
        this.keys = keys;
    }

    @Override
    public void accept(WebClient.Builder builder) {
        builder.defaultRequest(request -> keys.remember(request::attribute)).filter(this);
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return keys.keyOf(request.method(), request.url(), request.headers(), request.attributes())
                .map(key ->
                        ClientRequest.from(request).header(keys.header(), key).build())
                .map(next::exchange)
                .orElseGet(() -> next.exchange(request));
    }
}
