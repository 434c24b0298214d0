package io.idem.http.outgoing;

import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
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
 * key. After a failure so does an equal call that the work begins anew, on any thread. A request that is begun on a thread of Reactor's
 * belongs to the WebFlux request in whose Reactor context it is subscribed to. Where there is none, it belongs to no work: wrap that part
 * in {@code IdempotencyContext.call}. A body that is a value is encoded twice, to recognize a call that is repeated. Thread-safe.
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
        builder.defaultRequest(request -> keys.remember(IdempotencyContext.current(), request::attribute))
                .codecs(used -> filter.codecs = used)
                .filter(filter);
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        Map<String, Object> attributes = Collections.synchronizedMap(new HashMap<>(request.attributes()));
        keys.remember(IdempotencyContext.current(), attributes::putIfAbsent);
        return Mono.deferContextual(subscriber -> {
            keys.remember(subscriber.getOrEmpty(IdempotencyContext.class), attributes::putIfAbsent);
            return keys.send(
                            request.method(),
                            request.url(),
                            request.headers(),
                            attributes,
                            WebClient.class,
                            () -> bodyOf(request))
                    .map(call -> exchange(request, call, next))
                    .orElseGet(() -> next.exchange(request));
        });
    }

    private Mono<ClientResponse> exchange(ClientRequest request, OutgoingCall call, ExchangeFunction next) {
        ClientRequest keyed = ClientRequest.from(request)
                .headers(headers -> headers.set(keys.header(), call.key()))
                .attribute(OutgoingKeys.CALL, call)
                .build();
        return next.exchange(keyed)
                .map(response -> watched(response, call))
                .doOnError(failure -> call.failed())
                .doOnCancel(call::cancelled);
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
                .body(body -> body.doOnNext(part -> call.reading())
                        .doOnComplete(call::answered)
                        .doOnError(failure -> call.failed())
                        .doOnCancel(call::cancelled))
                .build();
    }
}
