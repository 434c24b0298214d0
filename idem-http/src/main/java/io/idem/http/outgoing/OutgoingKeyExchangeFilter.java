package io.idem.http.outgoing;

import io.idem.Fingerprint;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.codec.ClientCodecConfigurer;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * Adds keys to {@code WebClient} calls: {@code WebClient.builder().apply(filter)}. A call belongs to the work on whose thread its request
 * is begun ({@code client.post()}), on whatever thread it is subscribed to; another subscription, as by {@code retry()}, sends the same
 * key. After a failure so does an equal call that the work begins anew, on any thread. Requests begun on a thread of Reactor's belong to
 * no work: wrap that part in {@code IdempotencyContext.call}. Thread-safe.
 */
public final class OutgoingKeyExchangeFilter implements ExchangeFilterFunction, Consumer<WebClient.Builder> {

    private final OutgoingKeys keys;
    private volatile @Nullable ClientCodecConfigurer codecs;

    /** Creates a filter that adds these keys. Apply it: one that is only added to a builder cannot compare the bodies of calls. */
    public OutgoingKeyExchangeFilter(OutgoingKeys keys) {
        this.keys = keys;
    }

    @Override
    public void accept(WebClient.Builder builder) {
        OutgoingKeyExchangeFilter filter = new OutgoingKeyExchangeFilter(keys);
        builder.defaultRequest(request -> keys.remember(request::attribute))
                .codecs(used -> filter.codecs = used)
                .filter(filter);
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return keys.send(
                        request.method(),
                        request.url(),
                        request.headers(),
                        request.attributes(),
                        WebClient.class,
                        () -> bodyOf(request))
                .map(call -> exchange(request, call, next))
                .orElseGet(() -> next.exchange(request));
    }

    private Mono<ClientResponse> exchange(ClientRequest request, OutgoingCall call, ExchangeFunction next) {
        ClientRequest keyed = ClientRequest.from(request)
                .headers(headers -> headers.set(keys.header(), call.key()))
                .attribute(OutgoingKeys.CALL, call)
                .build();
        return next.exchange(keyed)
                .map(response -> watched(response, call))
                .doOnError(failure -> call.failed())
                .doOnCancel(call::failed);
    }

    private @Nullable Fingerprint bodyOf(ClientRequest request) {
        ClientCodecConfigurer used = codecs;
        return used == null ? null : RecordedBody.of(request, used.getWriters());
    }

    private static ClientResponse watched(ClientResponse response, OutgoingCall call) {
        if (OutgoingCall.isOpen(response.statusCode(), response.headers().asHttpHeaders())) {
            call.failed();
            return response;
        }
        return response.mutate()
                .body(body -> body.doOnComplete(call::answered)
                        .doOnError(failure -> call.failed())
                        .doOnCancel(call::failed))
                .build();
    }
}
