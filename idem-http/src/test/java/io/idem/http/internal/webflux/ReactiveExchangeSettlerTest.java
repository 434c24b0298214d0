package io.idem.http.internal.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.Admission;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.ErrorBody;
import io.idem.http.HeaderPolicy;
import io.idem.http.IncomingRequest;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.FaultyStore;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ExchangeSettler;
import io.idem.http.internal.admission.ReceivedBody;
import io.idem.http.internal.admission.RefusalRenderer;
import io.idem.http.internal.admission.ReplayMarker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** How a request's record ends, and what its client gets: never an answer before its settlement, and never two of either. */
class ReactiveExchangeSettlerTest {

    private static final Scope SCOPE = new Scope("http.shop");
    private static final IdempotencyKey KEY = IdempotencyKey.of("k");
    private static final RecordId RECORD = new RecordId(KEY, SCOPE);

    private final FaultyStore store = new FaultyStore();
    private final IdempotentExecutor blocking = IdempotentExecutor.on(store).build();
    private final AsyncIdempotentExecutor executor = blocking.async(Runnable::run);
    private final ReactiveExchangeSettler settler = new ReactiveExchangeSettler(
            HeaderPolicy.of(List.of(), List.of()),
            ExchangeSettler.by(
                    executor,
                    new Answers(new RefusalRenderer(new SlugOnly(), "/problems"), new ReplayMarker("X-Replayed"))));
    private final RouteOptions options =
            RouteOptions.builder(SCOPE, ExecutionPolicy.defaults()).build();
    private final MockServerWebExchange received =
            MockServerWebExchange.from(MockServerHttpRequest.post("/orders").build());
    private final MockServerHttpResponse client = received.getResponse();

    @BeforeEach
    void announce() {
        store.announce(SCOPE);
    }

    @AfterEach
    void close() {
        blocking.close();
    }

    private ReactiveExchange granted(RouteOptions of) {
        Admission<Object> beginning = blocking.begin(Operation.of(KEY, SCOPE, of.policy()));
        ReactiveExchange exchange = new ReactiveExchange(
                new IncomingReactiveRequest(received, Optional.empty()),
                ReactiveRequestBody.of(ReceivedBody.of(new byte[0])),
                ((Admission.Granted<Object>) beginning).operation(),
                of,
                ServerCodecConfigurer.create(),
                name -> false);
        exchange.getResponse().answerTo(settler.of(exchange));
        exchange.handler().called();
        return exchange;
    }

    private ReactiveExchange granted() {
        return granted(options);
    }

    private static DataBuffer bytes(String text) {
        return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void answer(ReactiveExchange exchange, int status) {
        CapturedReactiveResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        response.getHeaders().set("X-Run", "1");
        response.writeWith(Mono.just(bytes("paid"))).block();
    }

    private static void stream(ReactiveExchange exchange, int status, Flux<DataBuffer> pieces) {
        CapturedReactiveResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        response.writeAndFlushWith(pieces.map(Mono::just)).block();
    }

    private static StoredResult stored(String body) {
        return StoredResponseCodec.encode(StoredResponse.of(200, List.of(), body.getBytes(StandardCharsets.US_ASCII)));
    }

    private RecordState state() {
        return store.healthy().inspect(RECORD).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    private void assertSent(int status) {
        assertThat(client.getStatusCode()).isEqualTo(HttpStatusCode.valueOf(status));
        assertThat(client.getBodyAsString().block()).isEqualTo("paid");
        assertThat(client.getHeaders().getFirst("X-Run")).isEqualTo("1");
    }

    private void assertReplaced(int status, String slug) {
        assertThat(client.getStatusCode()).isEqualTo(HttpStatusCode.valueOf(status));
        assertThat(client.getBodyAsString().block()).isEqualTo(slug);
        assertThat(client.getHeaders().getFirst("X-Run"))
                .as("header of the withdrawn answer")
                .isNull();
    }

    @Test
    void anAnswerIsRecordedThenSent() {
        store.answerNextComplete(lease -> {
            assertThat(client.isCommitted()).isFalse();
            return store.healthy().complete(lease, stored("paid"));
        });

        answer(granted(), 201);

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertSent(201);
    }

    @Test
    void anAnswerThatIsNotStoredFreesTheKeyAndIsSent() {
        answer(granted(), 503);

        assertThat(state()).isEqualTo(RecordState.FAILED);
        assertSent(503);
    }

    @ParameterizedTest
    @CsvSource({"201, COMPLETED", "503, FAILED"})
    void whatWasSettledOnceIsSettledByNothingElse(int status, RecordState expected) {
        ReactiveExchange exchange = granted();
        answer(exchange, status);

        settler.of(exchange).whole(new byte[1]).block();
        settler.of(exchange).sent().block();
        settler.of(exchange)
                .broken(new IllegalStateException("ordered by a test"))
                .block();
        settler.ended(exchange).block();

        assertThat(state()).isEqualTo(expected);
        assertSent(status);
    }

    @Test
    void theAnswerThatAnotherOwnerStoredIsSentInsteadOfOnesOwn() {
        store.answerNextComplete(lease -> new StoreAnswer.Lost(RecordState.COMPLETED, stored("theirs")));

        answer(granted(), 201);

        assertReplaced(200, "theirs");
        assertThat(client.getHeaders().getFirst("X-Replayed")).isEqualTo("true");
    }

    @Test
    void aSilentStoreIsAskedAgainBeforeTheAnswerIsSent() {
        store.answerNextComplete(lease -> {
            throw FaultyStore.silence();
        });

        answer(granted(), 201);

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertSent(201);
    }

    @Test
    void theAnswerOfAnotherOwnerThatIsFoundAtTheSecondTryIsSentInsteadOfOnesOwn() {
        store.answerNextComplete(lease -> {
            store.answerNextComplete(again -> new StoreAnswer.Lost(RecordState.COMPLETED, stored("theirs")));
            throw FaultyStore.silence();
        });

        answer(granted(), 201);

        assertReplaced(200, "theirs");
    }

    @Test
    void anAnswerThatCannotBeRecordedIsNotSentAndItsKeyIsNotGivenBack() {
        store.silentOnComplete(true);

        answer(granted(), 201);

        assertThat(state()).isEqualTo(RecordState.PENDING);
        assertReplaced(503, "outcome-unrecorded");
        assertThat(client.getHeaders().getFirst("Retry-After"))
                .as("the lease has ended by then")
                .isEqualTo(String.valueOf(options.policy().lease().toSeconds()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRecordThatWasLostIsRestoredAndItsClientSentToFetchTheAnswer(boolean handOff) {
        store.answerNextComplete(lease -> {
            store.healthy().fail(lease, Duration.ZERO);
            return new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE);
        });

        answer(granted(options.toBuilder().handOff(handOff).build()), 201);

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertReplaced(503, "outcome-unrecorded");
        assertThat(client.getHeaders().getFirst("Retry-After")).isEqualTo("1");
    }

    @Test
    void aHandOffWhoseStoreIsSilentIsAnswered() {
        store.silentOnComplete(true);

        answer(granted(options.toBuilder().handOff(true).build()), 201);

        assertSent(201);
    }

    @Test
    void anAnswerWhoseRecordCannotBeReadIsNotSent() {
        store.answerNextComplete(lease -> {
            store.answerNextComplete(again -> {
                throw new UnreadableRecordException(RECORD, "a hash");
            });
            throw new UnreadableRecordException(RECORD, "a hash");
        });

        answer(granted(), 201);

        assertReplaced(503, "outcome-unrecorded");
    }

    @ParameterizedTest
    @CsvSource({"201, COMPLETED", "503, PENDING"})
    void workThatMayStillRunKeepsItsKeyUnlessItHasAnswered(int status, RecordState expected) {
        ReactiveExchange exchange = granted();
        exchange.handler().timeOut();

        answer(exchange, status);

        assertThat(state()).isEqualTo(expected);
        assertSent(status);
    }

    @Test
    void aRequestThatEndsWithoutAnAnswerFreesItsKey() {
        settler.ended(granted()).block();

        assertThat(state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aRequestThatEndsWithoutAnAnswerAndMayStillRunKeepsItsKey() {
        ReactiveExchange exchange = granted();
        exchange.handler().timeOut();

        settler.ended(exchange).block();

        assertThat(state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void theLeaseOfWorkThatMayStillRunIsNotRenewedAfterItsRequestHasEnded() {
        ExecutionPolicy brief = ExecutionPolicy.of(Duration.ofSeconds(1), Duration.ofHours(1));
        ReactiveExchange exchange = granted(options.toBuilder().policy(brief).build());
        exchange.handler().timeOut();

        settler.ended(exchange).block();

        await().until(() -> blocking.begin(Operation.of(KEY, SCOPE, brief)) instanceof Admission.Granted);
    }

    @ParameterizedTest
    @CsvSource({"200, COMPLETED", "503, FAILED"})
    void aStreamThatEndsIsDoneIfItsStatusIsStored(int status, RecordState expected) {
        stream(granted(), status, Flux.just(bytes("pa"), bytes("id")));

        assertThat(state()).isEqualTo(expected);
        assertThat(client.getBodyAsString().block()).isEqualTo("paid");
    }

    @Test
    void aStreamIsNotDoneBeforeItsEnd() {
        ReactiveExchange exchange = granted();

        stream(
                exchange,
                200,
                Flux.just(bytes("paid")).doOnComplete(() -> assertThat(state()).isEqualTo(RecordState.PENDING)));

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aStreamThatBreaksFreesItsKey() {
        Flux<DataBuffer> breaking = Flux.just(bytes("pa")).concatWith(Flux.error(new IllegalStateException("ordered")));

        assertThatThrownBy(() -> stream(granted(), 200, breaking)).hasMessageContaining("ordered");

        assertThat(state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aStreamThatTheServerEndsIsDone() {
        ReactiveExchange exchange = granted();
        streamWithoutEnd(exchange);

        settler.ended(exchange).block();

        assertThat(state()).isEqualTo(RecordState.COMPLETED);
    }

    /** Begins a stream of which nobody tells the end. */
    private static void streamWithoutEnd(ReactiveExchange exchange) {
        exchange.getResponse().answerTo(new AnswerSink() {
            @Override
            public Mono<Void> whole(byte[] body) {
                return Mono.empty();
            }

            @Override
            public Mono<Void> sent() {
                return Mono.empty();
            }

            @Override
            public Mono<Void> broken(Throwable failure) {
                return Mono.empty();
            }

            @Override
            public void hookFailed() {}
        });
        stream(exchange, 200, Flux.just(bytes("paid")));
    }

    @Test
    void anAnswerThatItsClientHasAndNobodyRecordsDoesNotFailItsRequest() {
        store.silentOnComplete(true);

        stream(granted(), 200, Flux.just(bytes("paid")));

        assertThat(state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void anAnswerWithAnUnreadableRecordDoesNotFailItsRequest() {
        store.answerNextComplete(lease -> {
            throw new UnreadableRecordException(RECORD, "a hash");
        });

        stream(granted(), 200, Flux.just(bytes("paid")));

        assertThat(client.getBodyAsString().block()).isEqualTo("paid");
    }

    /** Bodies that say which problem it is. */
    private static final class SlugOnly implements ErrorBody {

        @Override
        public MediaType mediaType() {
            return MediaType.TEXT_PLAIN;
        }

        @Override
        public byte[] render(ProblemDetail problem, IncomingRequest refused) {
            return String.valueOf(
                            Objects.requireNonNull(problem.getProperties()).get("code"))
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }
}
