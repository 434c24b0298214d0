package io.idem.http.internal.webflux;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;

/**
 * Reads a body up to a limit. A larger body is handed on: the part that was read, then the rest on demand. Buffers are requested one by
 * one, so that none is in flight at that moment.
 */
final class HeldBody extends BaseSubscriber<DataBuffer> {

    private final int limit;
    private final DataBufferFactory factory;
    private final MonoSink<Content> sink;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private @Nullable Subscriber<? super DataBuffer> rest;
    private @Nullable Runnable end;
    private boolean handedOn;

    private HeldBody(int limit, DataBufferFactory factory, MonoSink<Content> sink) {
        this.limit = limit;
        this.factory = factory;
        this.sink = sink;
    }

    /** Reads a body; fails with the error of the body unless it was handed on before. */
    static Mono<Content> read(Publisher<? extends DataBuffer> body, int limit, DataBufferFactory factory) {
        return Mono.create(sink -> {
            HeldBody reading = new HeldBody(limit, factory, sink);
            sink.onCancel(reading);
            Flux.from(body).subscribe(reading);
        });
    }

    @Override
    public Context currentContext() {
        return Context.of(sink.contextView());
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(1);
    }

    @Override
    protected void hookOnNext(DataBuffer buffer) {
        if (handedOn) {
            Objects.requireNonNull(rest).onNext(buffer);
            return;
        }
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        held.writeBytes(bytes);
        if (held.size() <= limit) {
            request(1);
        } else {
            handedOn = true;
            sink.success(new Larger(Flux.concat(Mono.fromSupplier(() -> factory.wrap(held.toByteArray())), rest())));
        }
    }

    @Override
    protected void hookOnComplete() {
        ended(Subscriber::onComplete, () -> sink.success(new Whole(held.toByteArray())));
    }

    @Override
    protected void hookOnError(Throwable failure) {
        ended(subscriber -> subscriber.onError(failure), () -> sink.error(failure));
    }

    private void ended(Consumer<Subscriber<? super DataBuffer>> toRest, Runnable toSink) {
        if (!handedOn) {
            toSink.run();
            return;
        }
        synchronized (this) {
            Subscriber<? super DataBuffer> known = rest;
            if (known == null) {
                end = () -> toRest.accept(Objects.requireNonNull(rest));
                return;
            }
        }
        toRest.accept(Objects.requireNonNull(rest));
    }

    /** Returns the rest of the body. Its end may come before the rest is subscribed to. */
    private Flux<DataBuffer> rest() {
        return Flux.from(subscriber -> {
            Runnable ended;
            synchronized (this) {
                rest = subscriber;
                ended = end;
            }
            subscriber.onSubscribe(new RestSubscription());
            if (ended != null) {
                ended.run();
            }
        });
    }

    /** The result of reading a body. */
    sealed interface Content permits Whole, Larger {}

    /** A body that was read as a whole. */
    static final class Whole implements Content {

        private final byte[] bytes;

        private Whole(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** A body larger than the limit, from its beginning; may be subscribed to once. */
    record Larger(Flux<DataBuffer> body) implements Content {}

    private final class RestSubscription implements Subscription {

        @Override
        public void request(long count) {
            HeldBody.this.request(count);
        }

        @Override
        public void cancel() {
            HeldBody.this.cancel();
        }
    }
}
