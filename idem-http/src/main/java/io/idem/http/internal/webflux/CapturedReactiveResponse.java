package io.idem.http.internal.webflux;

import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.StreamedMediaTypes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A response that is held back until its outcome is recorded. Status, headers, cookies and the body are kept here, so that nothing needs to
 * be retracted if another answer must be given. A stream, or a body that is too large, is passed on to the client directly.
 */
final class CapturedReactiveResponse extends ServerHttpResponseDecorator {

    private final int limit;
    private final OwnHeaders headers;
    private final MultiValueMap<String, ResponseCookie> cookies = new LinkedMultiValueMap<>();
    private final ResponseCommit commit = new ResponseCommit();
    private final Sinks.Empty<Void> streamEnd = Sinks.empty();
    private volatile @Nullable AnswerSink sink;
    private volatile @Nullable HttpStatusCode status;
    private volatile boolean passing;

    /**
     * Creates a response that is held back until it is recorded.
     *
     * @param limit largest body that is held and stored, in bytes
     * @param reserved names of headers that only the filter may set
     */
    CapturedReactiveResponse(ServerHttpResponse response, int limit, Predicate<String> reserved) {
        super(response);
        this.limit = limit;
        this.headers = new OwnHeaders(response.getHeaders(), reserved);
        this.status = response.getStatusCode();
    }

    void answerTo(AnswerSink settling) {
        sink = settling;
    }

    /** Returns whether the client has received a part of the answer, so that no other can be given. */
    boolean passing() {
        return passing;
    }

    /** Ends a stream whose client went away. */
    void endStream() {
        if (passing) {
            streamEnd.tryEmitEmpty();
        }
    }

    int statusValue() {
        HttpStatusCode known = status;
        return (known == null ? HttpStatus.OK : known).value();
    }

    StoredResponse capture(byte[] body, HeaderPolicy policy) {
        return StoredResponse.of(statusValue(), headers.stored(policy), body);
    }

    StoredResponse captureWithoutBody(HeaderPolicy policy) {
        return StoredResponse.withoutBody(statusValue(), headers.stored(policy));
    }

    /** Sends the answer, once it is recorded. */
    Mono<Void> send(byte[] body) {
        return Mono.defer(() -> {
            apply();
            return ReactiveAnswerWriter.write(body, getDelegate());
        });
    }

    private void apply() {
        HttpStatusCode known = status;
        if (known != null) {
            getDelegate().setStatusCode(known);
        }
        headers.applyTo(getDelegate().getHeaders());
        cookies.values().forEach(values -> values.forEach(getDelegate()::addCookie));
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        String type = headers.current().getFirst(HttpHeaders.CONTENT_TYPE);
        if (type != null && StreamedMediaTypes.include(type)) {
            return pass(Flux.from(body), getDelegate()::writeWith);
        }
        return Mono.defer(() -> commit.begun() ? discarded(body) : held(body));
    }

    private Mono<Void> held(Publisher<? extends DataBuffer> body) {
        return HeldBody.read(body, limit, bufferFactory())
                .doOnError(failure -> headers.current().clearContentHeaders())
                .flatMap(content -> content instanceof HeldBody.Whole whole
                        ? commit(() -> answers().whole(whole.bytes()))
                        : pass(((HeldBody.Larger) content).body(), getDelegate()::writeWith));
    }

    /** Discards a body because an answer was given already, for example when writing it failed and the failure has an answer of its own. */
    private static Mono<Void> discarded(Publisher<? extends DataBuffer> body) {
        return body instanceof Mono<? extends DataBuffer> one
                ? one.doOnNext(DataBufferUtils::release).then()
                : Mono.empty();
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return pass(Flux.from(body), getDelegate()::writeAndFlushWith);
    }

    /** Passes a body on to the client. If it fails before its first piece, another answer can still be given. */
    private <P> Mono<Void> pass(Flux<P> body, Function<Flux<P>, Mono<Void>> to) {
        return body.<Void>switchOnFirst((first, pieces) -> {
                    Throwable failure = first.isOnError() ? first.getThrowable() : null;
                    return failure == null ? commit(() -> passOn(pieces, to)) : Mono.error(failure);
                })
                .then();
    }

    private <P> Mono<Void> passOn(Flux<P> pieces, Function<Flux<P>, Mono<Void>> to) {
        AtomicBoolean broken = new AtomicBoolean();
        passing = true;
        apply();
        Flux<P> watched = pieces.doOnError(failure -> broken.set(true)).takeUntilOther(streamEnd.asMono());
        return to.apply(watched)
                .onErrorResume(failure ->
                        (broken.get() ? answers().broken(failure) : answers().sent()).then(Mono.error(failure)))
                .then(Mono.defer(answers()::sent));
    }

    @Override
    public Mono<Void> setComplete() {
        return commit(() -> answers().whole(new byte[0]));
    }

    /** Commits and answers. If a hook fails, the answer to that failure has headers of its own. */
    private Mono<Void> commit(Supplier<Mono<Void>> answer) {
        return commit.run(answer, () -> {
            answers().hookFailed();
            headers.current().clearContentHeaders();
        });
    }

    private AnswerSink answers() {
        return Objects.requireNonNull(sink);
    }

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {
        commit.before(action);
    }

    @Override
    public boolean isCommitted() {
        return commit.begun() || getDelegate().isCommitted();
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode value) {
        if (commit.done()) {
            return false;
        }
        status = value;
        return true;
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer value) {
        return setStatusCode(value == null ? null : HttpStatusCode.valueOf(value));
    }

    @Override
    public @Nullable HttpStatusCode getStatusCode() {
        return status;
    }

    @Override
    public HttpHeaders getHeaders() {
        return commit.done() ? HttpHeaders.readOnlyHttpHeaders(headers.current()) : headers.current();
    }

    @Override
    public MultiValueMap<String, ResponseCookie> getCookies() {
        return cookies;
    }

    @Override
    public void addCookie(ResponseCookie cookie) {
        if (commit.done()) {
            throw new IllegalStateException(
                    "Cookie " + cookie.getName() + " cannot be added: the response was committed already");
        }
        cookies.add(cookie.getName(), cookie);
    }
}
