package io.idem.http.internal.webflux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.channel.AbortedException;

/**
 * A body that may come from Reactor Netty. If Reactor Netty (seen with 1.3.7) cannot read the framing of a body, it answers 400 itself,
 * closes the connection, and ends the body without the bytes that had arrived, as if it were complete: a key would be taken for a payload
 * that was never sent.
 *
 * <p>The only class that uses types of Reactor Netty; it can be loaded only if Reactor Netty is present.
 */
final class NettyBody {

    private NettyBody() {}

    static Flux<DataBuffer> of(ServerHttpRequest request) {
        return request.getBody().concatWith(Flux.defer(() -> end(request)));
    }

    private static Flux<DataBuffer> end(ServerHttpRequest request) {
        Object server = ServerHttpRequestDecorator.getNativeRequest(request);
        return server instanceof Connection connection && !connection.channel().isActive()
                ? Flux.error(new AbortedException("The connection was closed before the body's end"))
                : Flux.empty();
    }
}
