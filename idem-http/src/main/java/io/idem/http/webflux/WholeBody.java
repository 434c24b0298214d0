package io.idem.http.webflux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.netty.Connection;
import reactor.netty.channel.AbortedException;

/**
 * A request's body, of which the end is believed only while its connection is there. When Reactor Netty (seen with 1.3.7) cannot read the framing of a
 * body it answers 400 itself, closes the connection, and ends the body as if it were whole, without what had come of it: a key would be taken
 * for a payload that nobody sent.
 */
final class WholeBody {

    private static final boolean NETTY =
            ClassUtils.isPresent("reactor.netty.Connection", WholeBody.class.getClassLoader());

    private WholeBody() {}

    /** Fails instead of ending if nobody is there any more to be answered. */
    static Flux<DataBuffer> of(ServerHttpRequest request) {
        return NETTY ? request.getBody().concatWith(Flux.defer(() -> end(request))) : request.getBody();
    }

    private static Flux<DataBuffer> end(ServerHttpRequest request) {
        Object server = ServerHttpRequestDecorator.getNativeRequest(request);
        return server instanceof Connection connection && !connection.channel().isActive()
                ? Flux.error(new AbortedException("The connection was closed before the body's end"))
                : Flux.empty();
    }
}
