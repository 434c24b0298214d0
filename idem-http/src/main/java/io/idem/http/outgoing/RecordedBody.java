package io.idem.http.outgoing;

import io.idem.Fingerprint;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.client.reactive.AbstractClientHttpRequest;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.BodyInserter;
import org.springframework.web.reactive.function.client.ClientRequest;
import reactor.core.Fuseable;
import reactor.core.publisher.Mono;

/** The bytes of a request body that is a value. Subscribes to no other publisher, because its work would be done twice. */
final class RecordedBody extends AbstractClientHttpRequest implements HttpMessageWriter<Object>, BodyInserter.Context {

    private final ClientRequest request;
    private final List<HttpMessageWriter<?>> writers;
    private boolean isValue;
    private @Nullable Fingerprint fingerprint;

    private RecordedBody(ClientRequest request, List<HttpMessageWriter<?>> writers) {
        super(HttpHeaders.copyOf(request.headers()));
        this.request = request;
        this.writers = writers;
    }

    /** Returns what identifies the body of a request; null if it is a stream. */
    static @Nullable Fingerprint of(ClientRequest request, List<HttpMessageWriter<?>> writers) {
        RecordedBody body = new RecordedBody(request, writers);
        Mono.defer(() -> request.body().insert(body, body)).subscribe(nothing -> {}, failure -> {});
        return body.fingerprint;
    }

    @Override
    public List<HttpMessageWriter<?>> messageWriters() {
        return List.of(this);
    }

    @Override
    public Optional<ServerHttpRequest> serverRequest() {
        return Optional.empty();
    }

    @Override
    public Map<String, Object> hints() {
        return Map.of();
    }

    @Override
    public List<MediaType> getWritableMediaTypes() {
        return List.of(MediaType.ALL);
    }

    @Override
    public boolean canWrite(ResolvableType type, @Nullable MediaType mediaType) {
        return true;
    }

    @Override
    public Mono<Void> write(
            Publisher<?> body,
            ResolvableType type,
            @Nullable MediaType mediaType,
            ReactiveHttpOutputMessage message,
            Map<String, Object> hints) {
        if (!(body instanceof Fuseable.ScalarCallable)) {
            return Mono.empty();
        }
        return Mono.from(body)
                .doOnNext(value -> fingerprint =
                        value instanceof ByteArrayResource bytes ? Fingerprint.of(bytes.getByteArray()) : null)
                .filter(value -> !isReadOnce(value))
                .doOnNext(value -> isValue = true)
                .flatMap(value -> writer(type, mediaType).write(Mono.just(value), type, mediaType, this, hints));
    }

    /** Returns whether a value may be used up by being read, as buffers of Spring and Netty and resources are. */
    private static boolean isReadOnce(Object value) {
        return value instanceof DataBuffer
                || value instanceof Resource
                || value.getClass().getName().startsWith("io.netty.");
    }

    @SuppressWarnings("unchecked")
    private HttpMessageWriter<Object> writer(ResolvableType type, @Nullable MediaType mediaType) {
        return (HttpMessageWriter<Object>) writers.stream()
                .filter(writer -> writer.canWrite(type, mediaType))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return isValue && body instanceof Mono<? extends DataBuffer> whole
                ? whole.doOnNext(this::record).then()
                : Mono.empty();
    }

    private void record(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        fingerprint = Fingerprint.of(bytes);
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return Mono.empty();
    }

    @Override
    public Mono<Void> setComplete() {
        fingerprint = Fingerprint.of(new byte[0]);
        return Mono.empty();
    }

    @Override
    public DataBufferFactory bufferFactory() {
        return DefaultDataBufferFactory.sharedInstance;
    }

    @Override
    public HttpMethod getMethod() {
        return request.method();
    }

    @Override
    public URI getURI() {
        return request.url();
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as its interface declares it
    public <T> T getNativeRequest() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void applyHeaders() {}

    @Override
    protected void applyCookies() {}
}
