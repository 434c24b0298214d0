package io.idem.http.internal.admission;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

class SynchronousHandlersTest {

    static Stream<Method> late() {
        return Stream.of(Late.class.getDeclaredMethods());
    }

    static Stream<Method> inTime() {
        return Stream.of(InTime.class.getDeclaredMethods());
    }

    @ParameterizedTest
    @MethodSource("late")
    void workThatMayGoOnAfterTheReturnIsRefused(Method handler) {
        assertThatThrownBy(() -> SynchronousHandlers.require(handler))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(handler.getName())
                .hasMessageContaining("inbox");
    }

    @ParameterizedTest
    @MethodSource("inTime")
    void workThatEndsWithTheReturnMayHaveAnInbox(Method handler) {
        assertThatCode(() -> SynchronousHandlers.require(handler)).doesNotThrowAnyException();
    }

    interface Late {
        Callable<String> callable();

        CompletableFuture<String> stage();

        Future<String> future();

        DeferredResult<String> deferred();

        WebAsyncTask<String> task();

        Mono<String> mono();

        SseEmitter events();

        StreamingResponseBody stream();

        ResponseEntity<StreamingResponseBody> entityOfStream();

        ResponseEntity<Mono<String>> entityOfMono();
    }

    interface InTime {
        void nothing();

        String text();

        ResponseEntity<String> entity();

        ResponseEntity<?> entityOfAnything();

        @SuppressWarnings("rawtypes")
        ResponseEntity raw();

        List<String> list();
    }
}
