package io.idem.http.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RunningOperation;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.http.ErrorBody;
import io.idem.http.HeaderPolicy;
import io.idem.http.IncomingRequest;
import io.idem.http.RouteOptions;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.FaultyStore;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ExchangeSettler;
import io.idem.http.internal.admission.HandlerRun;
import io.idem.http.internal.admission.RefusalRenderer;
import io.idem.http.internal.admission.ReplayMarker;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Which result ends a request, and what its client gets: never an answer before its settlement, and never two of either. */
class ServletExchangeSettlerTest {

    private static final int LIMIT = 10;

    private final MockHttpServletRequest request = new MockHttpServletRequest();
    private final MockHttpServletResponse client = new MockHttpServletResponse();
    private final ScriptedOperation operation = new ScriptedOperation();
    private final HeaderPolicy headers = HeaderPolicy.of(List.of(), List.of());
    private final Answers answers =
            new Answers(new RefusalRenderer(new SlugOnly(), "/problems"), new ReplayMarker("X-Replayed"));
    private final ServletExchangeSettler settler =
            new ServletExchangeSettler(headers, answers, ExchangeSettler.blocking(answers));
    private final RouteOptions options = RouteOptions.builder(new Scope("http.shop"), ExecutionPolicy.defaults())
            .build();

    private ServletExchange exchange(RouteOptions of, HttpServletResponse to) {
        RecordId record = new RecordId(IdempotencyKey.of("k"), of.scope());
        HandlerRun handler = new HandlerRun(record, of, Optional.empty());
        handler.called();
        return new ServletExchange(operation, new CapturedServletResponse(request, to, LIMIT, name -> false), handler);
    }

    private ServletExchange answered(RouteOptions of, int status, String body) throws IOException {
        ServletExchange exchange = exchange(of, client);
        exchange.response().setStatus(status);
        exchange.response().setHeader("X-Run", "1");
        exchange.response().getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
        return exchange;
    }

    private ServletExchange answered(int status) throws IOException {
        return answered(options, status, "paid");
    }

    private static LeaseLostException leaseLost() {
        return new LeaseLostException(new Lease(
                new RecordId(IdempotencyKey.of("k"), new Scope("http.shop")),
                OwnerToken.random(new SecureRandom()),
                1,
                1,
                Duration.ofSeconds(30),
                Duration.ofHours(1)));
    }

    private static StoredResult stored(String body) {
        return StoredResponseCodec.encode(StoredResponse.of(200, List.of(), body.getBytes(StandardCharsets.US_ASCII)));
    }

    private static Outcome<Object> executed(Object value) {
        return new Outcome.Executed<>(value, StoredResult.NONE);
    }

    private static Outcome<Object> superseded(Object value) {
        return new Outcome.Superseded<>(value, stored("theirs"));
    }

    private Function<Object, Outcome<Object>> unrecorded(Obstacle why, Function<Object, Outcome<Object>> again) {
        return value -> new Outcome.Unrecorded<>(value, why, () -> {
            operation.acts.add("again");
            return again.apply(value);
        });
    }

    private Function<Object, Outcome<Object>> alwaysUnrecorded(Obstacle why) {
        return unrecorded(why, value -> new Outcome.Unrecorded<>(value, why, () -> executed(value)));
    }

    private void assertSent(String body) throws IOException {
        assertThat(client.getContentAsString()).isEqualTo(body);
        assertThat(client.getHeader("X-Run")).isEqualTo("1");
    }

    private void assertReplaced(int status, String slug) throws IOException {
        assertThat(client.getStatus()).isEqualTo(status);
        assertThat(client.getContentAsString()).isEqualTo(slug);
        assertThat(client.getHeader("X-Run"))
                .as("header of the withdrawn answer")
                .isNull();
    }

    @Test
    void anAnswerIsRecordedThenSent() throws Exception {
        settler.returned(answered(201), request);

        assertThat(operation.acts).containsExactly("complete 201 paid");
        assertSent("paid");
        assertThat(client.getStatus()).isEqualTo(201);
    }

    @Test
    void anAnswerThatIsNotStoredFreesTheKeyThenIsSent() throws Exception {
        settler.returned(answered(503), request);

        assertThat(operation.acts).containsExactly("release PT0S");
        assertSent("paid");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 503})
    void whatWasSettledOnceIsSettledByNothingElse(int status) throws Exception {
        ServletExchange exchange = answered(status);
        settler.returned(exchange, request);

        settler.returned(exchange, request);
        settler.completed(exchange, request);
        settler.failed(exchange, new IllegalStateException("broken"), request);
        settler.ended(exchange);

        assertThat(operation.acts).hasSize(1);
        assertSent("paid");
    }

    @Test
    void workThatEndsItselfIsSettledAlsoIfItsClientHasGone() throws Exception {
        ServletExchange exchange = exchange(options, new GoneClient());
        exchange.response().getOutputStream().write('x');

        settler.completed(exchange, request);

        assertThat(operation.acts).containsExactly("complete 200 x");
    }

    @Test
    void theAnswerThatAnotherOwnerStoredIsSentInsteadOfOnesOwn() throws Exception {
        operation.answer(ServletExchangeSettlerTest::superseded);

        settler.returned(answered(201), request);

        assertReplaced(200, "theirs");
        assertThat(client.getHeader("X-Replayed")).isEqualTo("true");
    }

    @Test
    void aSilentStoreIsAskedAgainBeforeTheAnswerIsSent() throws Exception {
        operation.answer(
                unrecorded(new Obstacle.StoreSilent(FaultyStore.silence()), ServletExchangeSettlerTest::executed));

        settler.returned(answered(201), request);

        assertThat(operation.acts).containsExactly("complete 201 paid", "again");
        assertSent("paid");
    }

    @Test
    void theAnswerOfAnotherOwnerThatIsFoundAtTheSecondTryIsSentInsteadOfOnesOwn() throws Exception {
        operation.answer(
                unrecorded(new Obstacle.StoreSilent(FaultyStore.silence()), ServletExchangeSettlerTest::superseded));

        settler.returned(answered(201), request);

        assertReplaced(200, "theirs");
    }

    @Test
    void anAnswerThatCannotBeRecordedIsNotSentAndItsKeyIsNotGivenBack() throws Exception {
        operation.answer(alwaysUnrecorded(new Obstacle.StoreSilent(FaultyStore.silence())));

        settler.returned(answered(201), request);

        assertThat(operation.acts).containsExactly("complete 201 paid", "again");
        assertReplaced(503, "outcome-unrecorded");
        assertThat(client.getHeader("Retry-After"))
                .as("the lease has ended by then")
                .isEqualTo(String.valueOf(options.policy().lease().toSeconds()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRecordThatWasLostIsRestoredAndItsClientSentToFetchTheAnswer(boolean handOff) throws Exception {
        operation.answer(unrecorded(new Obstacle.RecordLost(RecordState.ABSENT), ServletExchangeSettlerTest::executed));

        settler.returned(answered(options.toBuilder().handOff(handOff).build(), 201, "paid"), request);

        assertThat(operation.acts).containsExactly("complete 201 paid", "again");
        assertReplaced(503, "outcome-unrecorded");
        assertThat(client.getHeader("Retry-After")).isEqualTo("1");
    }

    @Test
    void aHandOffWhoseStoreIsSilentIsAnswered() throws Exception {
        operation.answer(alwaysUnrecorded(new Obstacle.StoreSilent(FaultyStore.silence())));

        settler.returned(answered(options.toBuilder().handOff(true).build(), 201, "paid"), request);

        assertThat(operation.acts).containsExactly("complete 201 paid");
        assertSent("paid");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void workWhoseMessagesAreNotConfirmedIsNotRecordedByASecondTry(boolean handOff) throws Exception {
        operation.answer(unrecorded(
                new Obstacle.Unconfirmed(new IllegalStateException("no broker")),
                ServletExchangeSettlerTest::executed));

        settler.returned(answered(options.toBuilder().handOff(handOff).build(), 201, "paid"), request);

        assertThat(operation.acts).containsExactly("complete 201 paid");
        assertReplaced(503, "outcome-unrecorded");
    }

    @Test
    void anAnswerWhoseRecordCannotBeReadIsNotSent() throws Exception {
        operation.answer(value -> {
            throw new UnreadableRecordException(new RecordId(IdempotencyKey.of("k"), new Scope("http.shop")), "a hash");
        });

        settler.returned(answered(201), request);

        assertReplaced(503, "record-unreadable");
    }

    @Test
    void ofAnAnswerThatIsOnItsWayNothingIsReplaced() throws Exception {
        operation.answer(ServletExchangeSettlerTest::superseded);
        settler.returned(answered(options, 201, "longer than is held"), request);
        operation.answer(alwaysUnrecorded(new Obstacle.RecordLost(RecordState.ABSENT)));
        settler.returned(answered(options, 201, ", and once more"), request);

        assertThat(client.getContentAsString()).isEqualTo("longer than is held, and once more");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 503})
    void workThatMayStillRunKeepsItsKeyUnlessItHasAnswered(int status) throws Exception {
        ServletExchange exchange = answered(status);
        exchange.handler().timeOut();

        settler.returned(exchange, request);

        assertThat(operation.acts).containsExactly(status == 200 ? "complete 200 paid" : "leave");
        assertSent("paid");
    }

    @Test
    void anAnswerAfterTheContainerGaveUpIsNotRecordedAndTheKeyIsNotGivenBack() throws Exception {
        ServletExchange exchange = answered(200);
        exchange.handler().giveUp();

        settler.returned(exchange, request);

        assertThat(operation.acts).containsExactly("leave");
    }

    @Test
    void anErrorPageIsAwaitedAndRecordedWhenTheContainerIsDone() throws Exception {
        ServletExchange exchange = exchange(options, client);
        exchange.response().sendError(404);

        settler.returned(exchange, request);
        assertThat(operation.acts).isEmpty();
        assertThat(exchange.errorPageDue()).isTrue();

        settler.ended(exchange);
        assertThat(operation.acts).containsExactly("complete 404 ");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFirstEndOfADispatchedRequestIsNotThatOfItsErrorPage(boolean again) throws Exception {
        ServletExchange exchange = exchange(options, client);
        exchange.response().sendError(404);
        request.setAttribute(AsyncContext.ASYNC_REQUEST_URI, "/");
        settler.returned(exchange, request);

        settler.ended(exchange);
        assertThat(operation.acts).isEmpty();

        if (again) {
            settler.ended(exchange);
            assertThat(operation.acts).containsExactly("complete 404 ");
        }
        await().untilAsserted(() -> assertThat(operation.acts).containsExactly("complete 404 "));
    }

    @Test
    void anErrorThatIsNotStoredFreesTheKeyAtOnce() throws Exception {
        ServletExchange exchange = exchange(options, client);
        exchange.response().sendError(503);

        settler.returned(exchange, request);

        assertThat(operation.acts).containsExactly("release PT0S");
    }

    @Test
    void anErrorPageThatFailsTooFreesTheKey() throws Exception {
        ServletExchange exchange = exchange(options, client);
        exchange.response().sendError(404);
        settler.returned(exchange, request);

        settler.returned(exchange, request);

        assertThat(operation.acts).containsExactly("release PT0S");
    }

    @Test
    void aHandlerThatFailedFreesTheKey() throws Exception {
        settler.failed(answered(200), new IllegalStateException("broken"), request);

        assertThat(operation.acts).containsExactly("release PT0S");
    }

    @Test
    void aHandlerThatLostItsLeaseIsAnsweredInProgress() throws Exception {
        boolean told = settler.failed(answered(200), new IllegalStateException(leaseLost()), request);

        assertThat(told).isTrue();
        assertThat(operation.acts).containsExactly("release PT0S");
        assertReplaced(409, "in-progress");
    }

    @Test
    void aRequestThatIsSettledKeepsItsAnswerWhenItsHandlerLosesTheLease() throws Exception {
        ServletExchange exchange = answered(200);
        settler.completed(exchange, request);

        boolean told = settler.failed(exchange, leaseLost(), request);

        assertThat(told).isFalse();
        assertSent("paid");
    }

    @Test
    void aKeyThatCannotBeGivenBackDoesNotReplaceTheFailureOfTheHandler() throws Exception {
        operation.failRelease(FaultyStore.silence());

        boolean told = settler.failed(answered(200), new IllegalStateException("broken"), request);

        assertThat(told).isFalse();
    }

    @Test
    void aHandlerThatFailedAndMayStillRunKeepsItsKey() throws Exception {
        ServletExchange exchange = answered(200);
        exchange.handler().timeOut();

        settler.failed(exchange, new IllegalStateException("broken"), request);

        assertThat(operation.acts).containsExactly("leave");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 503})
    void aHandlerWhoseClientWentAwayIsDoneIfItsAnswerIsStored(int status) throws Exception {
        ServletExchange exchange = exchange(options, new GoneClient());
        exchange.response().setStatus(status);
        assertThatThrownBy(() -> exchange.response().getOutputStream().write(new byte[LIMIT + 1]))
                .isInstanceOf(IOException.class);

        settler.failed(exchange, new IllegalStateException("broken"), request);

        assertThat(operation.acts).containsExactly(status == 200 ? "complete 200 " : "release PT0S");
    }

    @Test
    void aRequestThatEndsWithoutAnAnswerFreesItsKey() throws Exception {
        settler.ended(answered(200));

        assertThat(operation.acts).containsExactly("release PT0S");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 503})
    void aStreamThatEndsIsDoneIfItsStatusIsStored(int status) throws Exception {
        settler.ended(answered(options, status, "longer than is held"));

        assertThat(operation.acts).containsExactly(status == 200 ? "complete 200 " : "release PT0S");
    }

    @Test
    void anAnswerThatItsClientHasAndNobodyRecordsDoesNotFailItsRequest() throws Exception {
        operation.answer(alwaysUnrecorded(new Obstacle.StoreSilent(FaultyStore.silence())));
        settler.ended(answered(options, 200, "longer than is held"));
        operation.answer(value -> {
            throw FaultyStore.silence();
        });
        settler.ended(answered(options, 200, "longer than is held"));

        assertThat(operation.acts).containsExactly("complete 200 ", "complete 200 ");
    }

    /** Writes down what it is told, and that nothing has reached the client by then unless it is a stream. */
    private final class ScriptedOperation implements RunningOperation {

        private final List<String> acts = new CopyOnWriteArrayList<>();
        private final Deque<Function<Object, Outcome<Object>>> answers = new ArrayDeque<>();
        private Optional<RuntimeException> releaseFailure = Optional.empty();

        void failRelease(RuntimeException failure) {
            releaseFailure = Optional.of(failure);
        }

        void answer(Function<Object, Outcome<Object>> next) {
            answers.add(next);
        }

        @Override
        public IdempotencyContext context() {
            return mock(IdempotencyContext.class);
        }

        @Override
        public <T> WorkResult<T> call(Work<T> work) {
            throw new UnsupportedOperationException();
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> Outcome<T> settle(WorkResult<T> result) {
            assertThat(client.getContentAsByteArray().length)
                    .as("bytes at the client before the settlement")
                    .matches(sent -> sent == 0 || sent > LIMIT);
            if (result instanceof WorkResult.Release<T> release) {
                acts.add("release " + release.delay());
                releaseFailure.ifPresent(failure -> {
                    throw failure;
                });
                return new Outcome.Released<>(release.value(), false);
            }
            StoredResponse response = StoredResponseCodec.decode(((WorkResult.Complete<T>) result).result());
            acts.add("complete " + response.status() + " " + new String(response.body(), StandardCharsets.US_ASCII));
            Function<Object, Outcome<Object>> next = answers.poll();
            Object value = result.value();
            return (Outcome<T>) (next == null ? executed(value) : next.apply(value));
        }

        @Override
        public void abandon() {
            acts.add("abandon");
        }

        @Override
        public void leave() {
            acts.add("leave");
        }
    }

    /** A client that went away: every write fails. */
    private static final class GoneClient extends MockHttpServletResponse {

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {}

                @Override
                public void write(int b) throws IOException {
                    throw new IOException("Connection reset by peer");
                }
            };
        }
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
