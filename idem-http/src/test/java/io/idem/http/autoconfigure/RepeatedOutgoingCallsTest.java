package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idem.Admission;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.outgoing.OutgoingKeyExchangeFilter;
import io.idem.http.outgoing.OutgoingKeyInterceptor;
import io.idem.http.outgoing.OutgoingKeys;
import io.idem.memory.InMemoryIdempotencyStore;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.BodyInserter;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Work that repeats its own calls after a failure, on a real server. */
@ExtendWith(OutputCaptureExtension.class)
class RepeatedOutgoingCallsTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final OutgoingKeys KEYS = new OutgoingKeys(List.of("127.0.0.1", "localhost"), "Idempotency-Key");
    private static final List<String> RECEIVED = new CopyOnWriteArrayList<>();
    private static final List<Integer> BODIES = new CopyOnWriteArrayList<>();
    private static final Queue<Answer> ANSWERS = new ConcurrentLinkedQueue<>();
    private static final IdempotentExecutor EXECUTOR =
            IdempotentExecutor.on(new InMemoryIdempotencyStore()).build();
    private static final ExecutorService SERVING = Executors.newCachedThreadPool();

    private static HttpServer server;

    @BeforeAll
    static void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(SERVING);
        server.createContext("/", RepeatedOutgoingCallsTest::receive);
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
        SERVING.shutdownNow();
        EXECUTOR.close();
    }

    @BeforeEach
    void forget() {
        RECEIVED.clear();
        ANSWERS.clear();
    }

    @ParameterizedTest
    @EnumSource
    void aFailedCallKeepsItsKeyUntilItSucceeds(Kind kind) {
        for (int status : List.of(408, 425, 429, 500, 502, 503)) {
            RECEIVED.clear();
            Caller caller = kind.caller();
            String key = UUID.randomUUID().toString();
            answer(Answer.status(status), Answer.status(status), Answer.OK, Answer.OK);
            work(key, () -> {
                repeat(3, () -> caller.call("/a", "{}"));
                caller.call("/a", "{}");
            });
            work(key, () -> repeatAll(2, () -> caller.call("/a", "{}")));

            assertThat(RECEIVED).as("after %s", status).hasSize(6).doesNotContain("none");
            assertThat(RECEIVED.subList(1, 3)).containsOnly(RECEIVED.get(0));
            assertThat(RECEIVED.get(3)).isNotEqualTo(RECEIVED.get(0));
            assertThat(RECEIVED.subList(4, 6)).containsExactly(RECEIVED.get(0), RECEIVED.get(3));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatIsStillRunningKeepsItsKey(Kind kind) {
        Caller caller = kind.caller();
        answer(new Answer(409, "Retry-After", "1", 0), Answer.OK);
        work("k-running", () -> repeat(2, () -> caller.call("/a", "{}")));
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatWasRefusedIsOver(Kind kind) {
        for (int status : List.of(400, 401, 404, 409, 422)) {
            RECEIVED.clear();
            Caller caller = kind.caller();
            answer(Answer.status(status), Answer.OK);
            work("k-" + status, () -> repeat(2, () -> caller.call("/a", "{}")));
            assertThat(RECEIVED).as("after %s", status).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallWhoseAnswerIsLostKeepsItsKey(Kind kind) {
        Caller caller = kind.caller();
        answer(Answer.LOST, Answer.OK, Answer.OK);
        work("k-lost", () -> {
            repeat(2, () -> caller.call("/a", "{}"));
            caller.call("/a", "{}");
        });
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    @ParameterizedTest
    @EnumSource
    void aCallWhoseAnswerBreaksOffKeepsItsKey(Kind kind) {
        Caller caller = kind.caller();
        answer(Answer.BROKEN, Answer.OK, Answer.OK);
        work("k-broken", () -> {
            repeat(2, () -> caller.call("/a", "{}"));
            caller.call("/a", "{}");
        });
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    /** A reader who cancels has its answer; Spring reads no body that is not wanted to its end. */
    @ParameterizedTest
    @EnumSource
    void anAnswerThatIsNotReadToItsEndEndsTheCall(Reading reading) {
        WebClient client = Kind.webClient(new AtomicBoolean())
                .mutate()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(1))
                .build();
        Answer first = new Answer(reading.status(), "Content-Type", "text/html", 0);
        answer(first, first);
        work(
                "k-" + reading,
                () -> repeatAll(
                        2,
                        () -> quietly(
                                () -> reading.read(client.post().uri(uri("/a"))).block(LONG))));
        assertThat(RECEIVED).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aTimeOutWithinAnAnswerKeepsTheKey() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.STALLED, Answer.OK, Answer.OK);
        work("k-stalled", () -> {
            quietly(() -> reactive(client, "{}").timeout(Duration.ofMillis(500)).block(LONG));
            repeatAll(2, () -> reactive(client, "{}").block(LONG));
        });
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    /** A key that a call used before it was sent must not be lost: when the work runs again, the call has it. */
    @ParameterizedTest
    @EnumSource
    void aCallThatCouldNotConnectKeepsItsKey(Kind kind) {
        AtomicBoolean down = new AtomicBoolean(true);
        Caller caller = kind.caller(down);
        answer(Answer.OK, Answer.OK);
        work("k-down", () -> repeat(2, () -> caller.call("/a", "{}")));
        work("k-down", () -> caller.call("/a", "{}"));
        assertThat(RECEIVED).hasSize(2).containsOnly(RECEIVED.get(0)).doesNotContain("none");
    }

    @ParameterizedTest
    @EnumSource
    void aCallWithAnotherBodyAddressOrHostIsAnotherOne(Kind kind) {
        Caller caller = kind.caller();
        answer(Answer.status(500), Answer.OK, Answer.OK, Answer.OK, Answer.OK);
        work("k-other", () -> {
            repeat(1, () -> caller.call("/a?order=1", "{\"at\":1}"));
            caller.call("/a?order=1", "{\"at\":2}");
            caller.call("/a?order=2", "{\"at\":1}");
            caller.call("http://localhost:" + server.getAddress().getPort() + "/a?order=1", "{\"at\":1}");
            caller.call("/a?order=1", "{\"at\":1}");
        });
        assertThat(RECEIVED).hasSize(5);
        assertThat(RECEIVED.subList(0, 4)).doesNotHaveDuplicates();
        assertThat(RECEIVED.get(4)).isEqualTo(RECEIVED.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void workThatRunsAgainOrOtherWorkStartsAnew(Kind kind) {
        Caller caller = kind.caller();
        answer(Answer.status(500), Answer.OK, Answer.OK, Answer.OK);
        work("k-x", () -> repeat(1, () -> caller.call("/a", "{}")));
        work("k-y", () -> caller.call("/a", "{}"));
        work("k-x", () -> repeatAll(2, () -> caller.call("/a", "{}")));
        assertThat(RECEIVED.subList(0, 2)).doesNotHaveDuplicates();
        assertThat(RECEIVED.get(2)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(3));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WEB_CLIENT")
    void everyThreadRemembersItsOwnFailedCall(Kind kind) {
        Caller caller = kind.caller();
        answer(Answer.status(500), Answer.OK, Answer.OK);
        work("k-threads", () -> {
            IdempotencyContext context = IdempotencyContext.current().orElseThrow();
            repeat(1, () -> caller.call("/a", "{}"));
            CompletableFuture.runAsync(() -> within(context, () -> caller.call("/a", "{}")), SERVING)
                    .join();
            caller.call("/a", "{}");
        });
        assertThat(RECEIVED.get(1)).isNotEqualTo(RECEIVED.get(0));
        assertThat(RECEIVED.get(2)).isEqualTo(RECEIVED.get(0));
    }

    @ParameterizedTest
    @EnumSource
    void twoFailedCallsOfOneKindAreTwoWhenTheyAreRepeated(Kind kind) {
        Caller caller = kind.caller();
        answer(Answer.status(500), Answer.status(400), Answer.status(500), Answer.OK, Answer.OK);
        work("k-two", () -> {
            repeat(1, () -> caller.call("/a", "1"));
            repeat(1, () -> caller.call("/a", "2"));
            repeat(1, () -> caller.call("/a", "2"));
            caller.call("/a", "2");
            caller.call("/a", "1");
        });
        assertThat(RECEIVED.subList(0, 3)).doesNotHaveDuplicates();
        assertThat(RECEIVED.subList(3, 5)).containsExactly(RECEIVED.get(2), RECEIVED.get(0));
    }

    @Test
    void retryTemplateAndRetryableKeepTheKey() {
        try (var context = new AnnotationConfigApplicationContext(Resilient.class)) {
            Payments payments = context.getBean(Payments.class);
            RetryTemplate retries = new RetryTemplate(
                    RetryPolicy.builder().maxRetries(2).delay(Duration.ZERO).build());
            answer(Answer.status(500), Answer.LOST, Answer.OK, Answer.status(500), Answer.status(503), Answer.OK);
            work("k-spring", () -> {
                payments.charge();
                try {
                    retries.execute(() -> post(Kind.restClient(new AtomicBoolean()), "/a", "{}"));
                } catch (RetryException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            assertThat(RECEIVED).hasSize(6);
            assertThat(RECEIVED.subList(0, 3)).containsOnly(RECEIVED.get(0));
            assertThat(RECEIVED.subList(3, 6)).containsOnly(RECEIVED.get(3)).isNotEqualTo(RECEIVED.subList(0, 3));
        }
    }

    @EnableResilientMethods
    static class Resilient {

        @Bean
        Payments payments() {
            return new Payments();
        }
    }

    static class Payments {

        @Retryable(maxRetries = 2, delay = 0)
        public boolean charge() {
            return post(Kind.restClient(new AtomicBoolean()), "/a", "{}");
        }
    }

    @Test
    void twoWantedCallsMergeAfterAFailureUnlessTheyHaveNames() {
        RestClient client = Kind.restClient(new AtomicBoolean());
        answer(Answer.status(500), Answer.OK, Answer.status(500), Answer.OK);
        work("k-wanted", () -> {
            repeatAll(2, () -> quietly(() -> post(client, "/a", "{}")));
            for (String name : List.of("first", "second")) {
                quietly(() -> client.post()
                        .uri(uri("/a"))
                        .attribute(OutgoingKeys.CALL_NAME, name)
                        .body("{}")
                        .retrieve()
                        .toBodilessEntity());
            }
        });
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0));
        assertThat(RECEIVED.get(3)).isNotEqualTo(RECEIVED.get(2)).isNotEqualTo(RECEIVED.get(0));
    }

    @Test
    void anInterceptorThatRepeatsCallsSendsOneKeyAndEndsTheCall() {
        RestClient client = RestClient.builder()
                .requestInterceptor((request, body, execution) -> {
                    var first = execution.execute(request, body);
                    if (!first.getStatusCode().is5xxServerError()) {
                        return first;
                    }
                    first.close();
                    return execution.execute(request, body);
                })
                .requestFactory(new JdkClientHttpRequestFactory())
                .apply(new OutgoingKeyInterceptor(KEYS))
                .build();
        answer(Answer.status(500), Answer.OK, Answer.OK);
        work("k-interceptor", () -> repeatAll(2, () -> post(client, "/a", "{}")));
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    @Test
    void aBodyOfSeveralPartsIsTheSameWhateverItsBoundary() {
        RestClient client = Kind.restClient(new AtomicBoolean());
        MultiValueMap<String, Object> parts = new LinkedMultiValueMap<>(Map.of("amount", List.of("10")));
        answer(Answer.status(500), Answer.OK);
        work(
                "k-parts",
                () -> repeat(
                        2,
                        () -> client.post()
                                .uri(uri("/a"))
                                .contentType(MediaType.MULTIPART_FORM_DATA)
                                .body(parts)
                                .retrieve()
                                .toBodilessEntity()));
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0));
    }

    @Test
    void anotherSubscriptionOfACallEndsIt() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.status(500), Answer.OK, Answer.OK);
        work("k-subscription", () -> {
            reactive(client, "{}").retry(1).block(LONG);
            reactive(client, "{}").block(LONG);
        });
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    @Test
    void aReactiveCallThatIsBegunAnewOnAnotherThreadKeepsItsKey() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.status(500), Answer.LOST, Answer.OK, Answer.OK);
        work("k-deferred", () -> {
            IdempotencyContext context = IdempotencyContext.current().orElseThrow();
            Mono.defer(() -> within(context, () -> reactive(client, "{}")))
                    .retryWhen(Retry.backoff(3, Duration.ofMillis(1)))
                    .block(LONG);
            reactive(client, "{}").block(LONG);
        });
        assertThat(RECEIVED.subList(0, 3)).containsOnly(RECEIVED.get(0));
        assertThat(RECEIVED.get(3)).isNotEqualTo(RECEIVED.get(0));
    }

    @Test
    void aReactiveCallThatTimesOutKeepsItsKey() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.LATE, Answer.OK, Answer.OK);
        work("k-timeout", () -> {
            quietly(() -> reactive(client, "{}").timeout(Duration.ofMillis(200)).block(LONG));
            repeatAll(2, () -> reactive(client, "{}").block(LONG));
        });
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    /** The slower one of two equal subscriptions is cancelled, and the call has succeeded. */
    @Test
    void aCallThatWasSentTwiceAtOnceHasSucceededWithTheFasterOne() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.LATE, Answer.OK, Answer.OK);
        work("k-hedged", () -> {
            Mono<Boolean> call = reactive(client, "{}");
            Mono.firstWithSignal(call, Mono.delay(Duration.ofMillis(200)).then(call))
                    .block(LONG);
            reactive(client, "{}").block(LONG);
        });
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    /** The first call would come again under a key that an equal one has used meanwhile, and do nothing. */
    @Test
    void aCallWhoseKeyAnEqualOneHasTakenGetsAnotherWhenItIsSentAgain() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.status(500), Answer.OK, Answer.OK);
        work("k-taken", () -> {
            Mono<Boolean> first = reactive(client, "{}");
            quietly(() -> first.block(LONG));
            reactive(client, "{}").block(LONG);
            first.block(LONG);
        });
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    @Test
    void bodiesAreComparedAsTheyAreSent() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        Charge charge = new Charge(1);
        for (List<Object> bodies : List.of(
                List.<Object>of(new Charge(1), new Charge(1)),
                List.<Object>of(new byte[] {1}, new byte[] {1}),
                List.<Object>of(ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {1})),
                List.<Object>of(new ByteArrayResource(new byte[] {1}), new ByteArrayResource(new byte[] {1})),
                List.<Object>of(Map.of("a", 1), Map.of("a", 1)))) {
            RECEIVED.clear();
            answer(Answer.status(500), Answer.OK);
            work(
                    "k-" + UUID.randomUUID(),
                    () -> bodies.forEach(
                            body -> quietly(() -> reactive(client, body).block(LONG))));
            assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0));
        }
        RECEIVED.clear();
        answer(Answer.status(500), Answer.OK);
        work("k-mutable", () -> {
            quietly(() -> reactive(client, charge).block(LONG));
            charge.amount = 2;
            reactive(client, charge).block(LONG);
        });
        assertThat(RECEIVED).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aFormAndNoBodyAreBodiesToo() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.status(500), Answer.OK, Answer.status(500), Answer.OK);
        work("k-form", () -> {
            repeat(
                    2,
                    () -> client.post()
                            .uri(uri("/a"))
                            .body(BodyInserters.fromFormData("amount", "1"))
                            .retrieve()
                            .toBodilessEntity()
                            .block(LONG));
            repeat(
                    2,
                    () -> client.post()
                            .uri(uri("/a"))
                            .retrieve()
                            .toBodilessEntity()
                            .block(LONG));
        });
        assertThat(RECEIVED).hasSize(4);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
        assertThat(RECEIVED.get(3)).isEqualTo(RECEIVED.get(2));
    }

    @Test
    void aResourceInMemoryIsComparedHoweverItIsInserted() {
        WebClient client = Kind.webClient(new AtomicBoolean());
        answer(Answer.status(500), Answer.OK, Answer.OK);
        work("k-resource", () -> {
            for (String text : List.of("a", "a", "b")) {
                Resource resource = new ByteArrayResource(text.getBytes(StandardCharsets.US_ASCII));
                quietly(() -> client.post()
                        .uri(uri("/a"))
                        .body(BodyInserters.fromResource(resource))
                        .retrieve()
                        .toBodilessEntity()
                        .block(LONG));
            }
        });
        assertThat(RECEIVED).hasSize(3);
        assertThat(RECEIVED.get(1)).isEqualTo(RECEIVED.get(0)).isNotEqualTo(RECEIVED.get(2));
    }

    /** To compare such a body would be to take it away from the call. */
    @Test
    void aBodyThatCanBeReadOnceIsSentWhole() {
        WebClient client =
                Kind.webClient(new AtomicBoolean(), new OutgoingKeys(List.of("127.0.0.1"), "Idempotency-Key"));
        for (Supplier<Object> body : List.<Supplier<Object>>of(
                () -> Unpooled.copiedBuffer("{}", StandardCharsets.US_ASCII),
                () -> DefaultDataBufferFactory.sharedInstance.wrap(new byte[] {1, 2}),
                () -> new InputStreamResource(new ByteArrayInputStream(new byte[] {1, 2})))) {
            RECEIVED.clear();
            BODIES.clear();
            answer(Answer.status(500), Answer.OK);
            work(
                    "k-" + UUID.randomUUID(),
                    () -> repeat(2, () -> reactive(client, body.get()).block(LONG)));
            assertThat(RECEIVED).hasSize(2).doesNotContain("none");
            assertThat(BODIES).containsExactly(2, 2);
        }
    }

    /** A body is subscribed to when it is sent, and never to compare it: it may be the answer to another call. */
    @Test
    void aStreamedBodyGetsANewKeyAndOneWarningThatAsksForAName(CapturedOutput output) {
        WebClient client =
                Kind.webClient(new AtomicBoolean(), new OutgoingKeys(List.of("127.0.0.1"), "Idempotency-Key"));
        List<Integer> subscribed = Collections.synchronizedList(new ArrayList<>());
        DataBuffer buffer = DefaultDataBufferFactory.sharedInstance.wrap(new byte[0]);
        for (BodyInserter<?, ReactiveHttpOutputMessage> body : List.of(
                BodyInserters.fromPublisher(Flux.just("1").doOnSubscribe(unused -> subscribed.add(1)), String.class),
                BodyInserters.fromPublisher(Mono.fromSupplier(() -> "" + subscribed.add(1)), String.class),
                BodyInserters.fromDataBuffers(Mono.just(buffer).doOnSubscribe(unused -> subscribed.add(1))))) {
            RECEIVED.clear();
            subscribed.clear();
            answer(Answer.status(500), Answer.status(500), Answer.OK);
            work(
                    "k-" + UUID.randomUUID(),
                    () -> repeat(
                            3,
                            () -> client.post()
                                    .uri(uri("/a?token=secret"))
                                    .body(body)
                                    .retrieve()
                                    .toBodilessEntity()
                                    .block(LONG)));
            assertThat(RECEIVED).hasSize(3).doesNotHaveDuplicates();
            assertThat(subscribed).hasSize(3);
        }
        assertThat(output.getOut().lines().filter(line -> line.contains("idem.call-name")))
                .singleElement()
                .asString()
                .contains("WARN", "POST http://127.0.0.1")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @EnumSource(names = {"REST_CLIENT", "WEB_CLIENT"})
    void aRetryAroundTwoCallsThatRepeatsBothIsWarnedOfOnce(Kind kind, CapturedOutput output) {
        Caller caller = kind.caller(new AtomicBoolean(), new OutgoingKeys(List.of("127.0.0.1"), "Idempotency-Key"));
        answer(Answer.OK, Answer.status(500), Answer.OK, Answer.LOST);
        work(
                "k-around",
                () -> repeat(3, () -> {
                    caller.call("/reserve?token=secret", "{}");
                    caller.call("/charge", "{}");
                }));
        assertThat(RECEIVED).hasSize(6);
        assertThat(List.of(RECEIVED.get(0), RECEIVED.get(2), RECEIVED.get(4))).doesNotHaveDuplicates();
        assertThat(List.of(RECEIVED.get(3), RECEIVED.get(5))).containsOnly(RECEIVED.get(1));
        assertThat(output.getOut().lines().filter(line -> line.contains("idem.call-name")))
                .singleElement()
                .asString()
                .contains("WARN", "/reserve was called again with the same body")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @EnumSource(names = {"REST_CLIENT", "WEB_CLIENT"})
    void callsThatNoRetryRepeatsAreNotWarnedOf(Kind kind, CapturedOutput output) {
        Caller caller = kind.caller(new AtomicBoolean(), new OutgoingKeys(List.of("127.0.0.1"), "Idempotency-Key"));
        answer(Answer.OK, Answer.OK, Answer.status(500), Answer.OK, Answer.status(400), Answer.OK);
        work("k-wanted-twice", () -> {
            repeatAll(2, () -> caller.call("/ping", "{}"));
            repeat(2, () -> caller.call("/charge", "1"));
            quietly(() -> caller.call("/refused", "1"));
            caller.call("/ping", "{}");
            caller.call("/charge", "1");
        });
        work("k-items", () -> {
            answer(Answer.OK, Answer.status(500), Answer.OK);
            for (String item : List.of("1", "2", "3")) {
                quietly(() -> caller.call("/items", item));
            }
        });
        assertThat(RECEIVED).hasSize(10);
        assertThat(output.getOut()).doesNotContain("idem.call-name");
    }

    /** Instances of several versions take over each other's work. These are keys that version 0.1.0 sent before calls were repeated. */
    @Test
    void workWhoseCallsSucceedSendsTheKeysOfEveryVersion() {
        List<String> sent = new ArrayList<>();
        RestClient client = RestClient.builder()
                .apply(new OutgoingKeyInterceptor(new OutgoingKeys(List.of("payments.example.com"), "Idempotency-Key")))
                .requestInterceptor((request, body, execution) -> {
                    sent.add(String.valueOf(request.getHeaders().getFirst("Idempotency-Key")));
                    return new MockClientHttpResponse(new byte[0], 200);
                })
                .build();
        for (IdempotencyKey key : List.of(IdempotencyKey.of("k-1"), new IdempotencyKey("north", "k-1"))) {
            work(key, () -> {
                repeatAll(2, () -> post(client, "http://payments.example.com/charges?at=1", "{}"));
                client.post()
                        .uri("http://payments.example.com/charges")
                        .attribute(OutgoingKeys.CALL_NAME, "refund")
                        .retrieve()
                        .toBodilessEntity();
            });
        }
        assertThat(sent)
                .containsExactly(
                        "tzgSYXYDaZ-JOEnk2r04-w",
                        "GPGoebtw5sEwRm_ukBEdmw",
                        "pZv-DHG_XNjiZMtrmCQwMA",
                        "pYRXJFqT0sGDWeBNKw0kwg",
                        "IoK8SZdp8k-Jl9pgVXSNKA",
                        "tRO5B8oQ-KjRkl7z7UWB_Q");
    }

    static class Charge {

        private int amount;

        Charge(int amount) {
            this.amount = amount;
        }

        public int getAmount() {
            return amount;
        }
    }

    private static Mono<Boolean> reactive(WebClient client, Object body) {
        return client.post()
                .uri(uri("/a"))
                .contentType(
                        body instanceof Charge || body instanceof Map || body instanceof String
                                ? MediaType.APPLICATION_JSON
                                : MediaType.APPLICATION_OCTET_STREAM)
                .bodyValue(body)
                .retrieve()
                .bodyToMono(String.class)
                .thenReturn(true);
    }

    private static boolean post(RestClient client, String path, String body) {
        client.post().uri(uri(path)).body(body).retrieve().body(String.class);
        return true;
    }

    /** As a loop in the work does it: until a call succeeds. */
    private static void repeat(int times, Runnable call) {
        for (int i = 0; i < times; i++) {
            try {
                call.run();
                return;
            } catch (RuntimeException failed) {
                // The next one may succeed.
            }
        }
    }

    private static void repeatAll(int times, Runnable call) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
    }

    private static void quietly(Runnable call) {
        repeat(1, call);
    }

    private static void within(IdempotencyContext context, Runnable part) {
        within(context, () -> {
            part.run();
            return true;
        });
    }

    private static <T> T within(IdempotencyContext context, Supplier<T> part) {
        try {
            return context.call(part::get);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void work(String key, Runnable work) {
        work(IdempotencyKey.of(key), work);
    }

    private static void work(IdempotencyKey key, Runnable work) {
        Operation operation = Operation.of(key, new Scope("payments"), ExecutionPolicy.defaults());
        Admission.Granted<Object> granted = (Admission.Granted<Object>) EXECUTOR.begin(operation);
        try {
            WorkResult<Object> result = granted.operation().call(context -> {
                work.run();
                return new WorkResult.Release<>(key, Duration.ZERO);
            });
            assertThat(granted.operation().settle(result)).isNotNull();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String uri(String path) {
        return path.startsWith("http")
                ? path
                : "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Further calls are answered with 200. */
    private static void answer(Answer... answers) {
        ANSWERS.addAll(List.of(answers));
    }

    private static void receive(HttpExchange exchange) throws IOException {
        BODIES.add(exchange.getRequestBody().readAllBytes().length);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        RECEIVED.add(key == null ? "none" : key);
        Answer next = ANSWERS.poll();
        (next == null ? Answer.OK : next).send(exchange);
    }

    record Answer(int status, String header, String value, int missing) {

        static final Answer OK = status(200);
        static final Answer LOST = new Answer(0, "X-None", "", 0);
        static final Answer LATE = new Answer(1, "X-None", "", 0);
        static final Answer STALLED = new Answer(200, "X-Stalled", "", 100);
        static final Answer BROKEN = new Answer(200, "X-None", "", 100);

        static Answer status(int status) {
            return new Answer(status, "X-None", "", 0);
        }

        void send(HttpExchange exchange) throws IOException {
            if (equals(LATE)) {
                return; // Until the server stops.
            }
            if (status > 0) {
                exchange.getResponseHeaders().add(header, value);
                exchange.sendResponseHeaders(status, 2L + missing);
                exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
                exchange.getResponseBody().flush();
            }
            if (equals(STALLED)) {
                return; // Until the server stops.
            }
            exchange.close();
        }
    }

    /** Ways to read an answer of two bytes that do not read both. */
    enum Reading {
        VOID {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve().bodyToMono(Void.class);
            }
        },
        VOID_ENTITY {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve().toEntity(Void.class);
            }
        },
        VOID_EXCHANGE {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.exchangeToMono(answer -> answer.bodyToMono(Void.class));
            }
        },
        VOID_FLUX {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve().bodyToFlux(Void.class).then();
            }
        },
        FIRST_PART {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve().bodyToFlux(DataBuffer.class).next();
            }
        },
        OTHER_TYPE {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve().bodyToMono(Charge.class);
            }
        },
        TOO_LARGE {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve().bodyToMono(String.class);
            }
        },
        REFUSED {
            @Override
            Mono<?> read(RequestHeadersSpec<?> call) {
                return call.retrieve()
                        .onStatus(HttpStatusCode::isError, answer -> Mono.empty())
                        .bodyToMono(Void.class);
            }
        };

        abstract Mono<?> read(RequestHeadersSpec<?> call);

        int status() {
            return this == REFUSED ? 400 : 200;
        }
    }

    @FunctionalInterface
    interface Caller {
        void call(String path, String body);
    }

    interface Interface {

        @PostExchange
        String post(URI uri, @RequestBody String body);
    }

    enum Kind {
        REST_CLIENT {
            @Override
            Caller caller(AtomicBoolean down, OutgoingKeys keys) {
                RestClient client = restClient(down, keys);
                return (path, body) -> post(client, path, body);
            }
        },
        REST_TEMPLATE {
            @Override
            Caller caller(AtomicBoolean down, OutgoingKeys keys) {
                RestTemplate template = new RestTemplate(new JdkClientHttpRequestFactory());
                template.getInterceptors().add(new OutgoingKeyInterceptor(keys));
                template.getInterceptors().add((request, body, execution) -> {
                    refuse(down);
                    return execution.execute(request, body);
                });
                return (path, body) -> template.postForObject(URI.create(uri(path)), body, String.class);
            }
        },
        HTTP_INTERFACE {
            @Override
            Caller caller(AtomicBoolean down, OutgoingKeys keys) {
                Interface client = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(restClient(down, keys)))
                        .build()
                        .createClient(Interface.class);
                return (path, body) -> client.post(URI.create(uri(path)), body);
            }
        },
        WEB_CLIENT {
            @Override
            Caller caller(AtomicBoolean down, OutgoingKeys keys) {
                WebClient client = webClient(down, keys);
                return (path, body) -> client.post()
                        .uri(uri(path))
                        .bodyValue(body)
                        .retrieve()
                        .bodyToMono(String.class)
                        .block(LONG);
            }
        };

        abstract Caller caller(AtomicBoolean down, OutgoingKeys keys);

        Caller caller(AtomicBoolean down) {
            return caller(down, KEYS);
        }

        Caller caller() {
            return caller(new AtomicBoolean());
        }

        static RestClient restClient(AtomicBoolean down) {
            return restClient(down, KEYS);
        }

        static RestClient restClient(AtomicBoolean down, OutgoingKeys keys) {
            return RestClient.builder()
                    .requestFactory(new JdkClientHttpRequestFactory())
                    .apply(new OutgoingKeyInterceptor(keys))
                    .requestInterceptor((request, body, execution) -> {
                        refuse(down);
                        return execution.execute(request, body);
                    })
                    .build();
        }

        static WebClient webClient(AtomicBoolean down) {
            return webClient(down, KEYS);
        }

        static WebClient webClient(AtomicBoolean down, OutgoingKeys keys) {
            return WebClient.builder()
                    .clientConnector(new JdkClientHttpConnector())
                    .apply(new OutgoingKeyExchangeFilter(keys))
                    .filter((request, next) -> down.getAndSet(false)
                            ? Mono.error(new ConnectException("ordered by a test"))
                            : next.exchange(request))
                    .build();
        }

        static void refuse(AtomicBoolean down) throws IOException {
            if (down.getAndSet(false)) {
                throw new ConnectException("ordered by a test");
            }
        }
    }
}
