package io.idem.http.internal.webflux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;

/** The body of a request, whose end counts only while the connection is open. */
final class WholeBody {

    private static final boolean NETTY =
            ClassUtils.isPresent("reactor.netty.Connection", WholeBody.class.getClassLoader());

    private WholeBody() {}

    /** Returns the body, which fails instead of ending if the connection was closed. */
    static Flux<DataBuffer> of(ServerHttpRequest request) {
        return NETTY ? NettyBody.of(request) : request.getBody();
    }
}
