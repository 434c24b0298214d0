package io.idem.http.internal.webflux;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;

/** A request's body, of which the end is believed only while its connection is there. */
final class WholeBody {

    private static final boolean NETTY =
            ClassUtils.isPresent("reactor.netty.Connection", WholeBody.class.getClassLoader());

    private WholeBody() {}

    /** Fails instead of ending if nobody is there any more to be answered. */
    static Flux<DataBuffer> of(ServerHttpRequest request) {
        return NETTY ? NettyBody.of(request) : request.getBody();
    }
}
