package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.core.Message;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Clients that wait for a consumer, and retries after its rejection, on a server with three threads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class WaitingTest {

    private static final String FINAL = "/v1/payments";
    private static final String REOPENED = "/v1/payouts";
    private static final Scope PAYMENTS = new Scope("payments");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CLIENTS = 12;

    private final Broker broker = new Broker();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private Intake intake;
    private IdempotencyStore store;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(settings(), SlowWayOut.class);
        store = intake.bean(IdempotencyStore.class);
        store.announce(PAYMENTS);
    }

    private Stream<String> settings() {
        return Stream.of(
                        broker.settings(),
                        broker.route(0, FINAL, Broker.PAYMENTS),
                        broker.route(1, REOPENED, Broker.PAYMENTS),
                        Stream.of(
                                "idem.gateway.routes[0].await=payments",
                                "idem.gateway.routes[1].await=payments",
                                "idem.gateway.routes[1].after-rejection=reopen",
                                "idem.gateway.max-wait=20s",
                                "server.tomcat.threads.max=3"))
                .flatMap(part -> part);
    }

    @AfterEach
    void drain() {
        broker.drain(Broker.PAYMENTS);
    }

    @AfterAll
    void stop() {
        clients.shutdownNow();
        intake.close();
        broker.close();
    }

    @Test
    void aClientThatWaitsGetsTheOutcome() {
        String key = Intake.newKey();
        CompletableFuture<Intake.Answer> answer = inBackground(() -> postAndWait(FINAL, key, "wait=15"));
        awaitMessage();
        assertThat(answer).isNotDone();

        complete(key);

        assertThat(answer.join().status()).isEqualTo(200);
        assertThat(answer.join().header("Preference-Applied")).isEqualTo("wait=15");
        assertThat(answer.join().header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.join().body())
                .isEqualTo(intake.operation(Intake.NORTH, key).body())
                .contains("\"scope\":\"payments\",\"state\":\"COMPLETED\"");
    }

    @Test
    void theIntakesRecordIsCompletedWithItsOwnAnswerBeforeTheWait() {
        String key = Intake.newKey();
        CompletableFuture<Intake.Answer> waiting = inBackground(() -> postAndWait(FINAL, key, "wait=15"));
        awaitMessage();

        Intake.Answer retry = await().until(() -> intake.post(FINAL, key), answer -> answer.status() == 202);

        assertThat(retry.replayed()).isTrue();
        assertThat(retry.body()).contains("\"status\":\"accepted\"");
        assertThat(waiting).isNotDone();
        complete(key);
        waiting.join();
        assertThat(intake.post(FINAL, key).response().body())
                .isEqualTo(retry.response().body());
    }

    @Test
    void aReplayMayWaitToo() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        complete(key);

        Intake.Answer replay = postAndWait(FINAL, key, "wait=15");

        assertThat(replay.status()).isEqualTo(200);
        assertThat(replay.replayed()).isTrue();
    }

    @Test
    void anAnswerIsWrittenAfterTheRequestsThreadHasLeftTheFilters() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        complete(key);

        Intake.Answer replay = intake.send(
                waiting(intake.request(FINAL), key, "wait=15", Intake.BODY).header(SlowWayOut.HEADER, "wanted"));

        assertThat(replay.status()).isEqualTo(200);
        assertThat(replay.header(SlowWayOut.HEADER)).isEqualTo("set on the way out");
    }

    @Test
    void whenTheTimeIsOverTheIntakesAnswerIsGiven() {
        String key = Intake.newKey();

        Intake.Answer answer = postAndWait(FINAL, key, "wait=1");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.header("Preference-Applied")).isEqualTo("wait=1");
        assertThat(answer.header("Location")).isEqualTo("/v1/operations?key=" + key);
        assertThat(answer.response().body())
                .isEqualTo(intake.post(FINAL, key).response().body());
    }

    @Test
    void aWaitIsBoundedAndWhatIsNoWaitIsIgnored() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        complete(key);

        assertThat(postAndWait(FINAL, key, "wait=600").header("Preference-Applied"))
                .isEqualTo("wait=20");
        assertThat(postAndWait(FINAL, key, "wait=0").status()).isEqualTo(202);
        assertThat(postAndWait(FINAL, key, "wait=soon").header("Preference-Applied"))
                .isEmpty();
    }

    @Test
    void aRefusalIsNotWaitedFor() {
        String key = Intake.newKey();
        intake.post(FINAL, key);

        Intake.Answer refused = send(intake.request(FINAL), key, "wait=15", "{}");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.header("Preference-Applied")).isEmpty();
    }

    @Test
    void aClientThatWaitsLearnsOfARejection() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        reject(key);

        Intake.Answer answer = postAndWait(FINAL, key, "wait=15");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body())
                .contains("urn:idem:problem:rejected", "\"retryWithSameKey\":false")
                .doesNotContain("secret reason");
        assertThat(intake.post(FINAL, key).status()).isEqualTo(202);
    }

    @Test
    void aClientThatHangsUpWhileItWaitsLosesNothing() {
        String key = Intake.newKey();
        CompletableFuture<HttpResponse<byte[]>> gone =
                intake.sendAsync(waiting(intake.request(FINAL), key, "wait=20", Intake.BODY));
        awaitMessage();
        gone.cancel(true);

        complete(key);

        // The message may be seen before the intake has recorded that it was published; until then the key is in
        // progress.
        Intake.Answer answer = await().atMost(Duration.ofMinutes(2))
                .until(() -> postAndWait(FINAL, key, "wait=15"), retried -> retried.status() != 409);
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void manyWhoWaitHoldNoThreads() {
        List<String> keys = Stream.generate(Intake::newKey).limit(CLIENTS).toList();
        List<CompletableFuture<Intake.Answer>> answers = keys.stream()
                .map(key -> inBackground(() -> postAndWait(FINAL, key, "wait=20")))
                .toList();
        keys.forEach(key -> awaitMessage());

        keys.forEach(this::complete);

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(200));
    }

    @Test
    void theStatusMayBeWaitedFor() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        CompletableFuture<Intake.Answer> status = inBackground(() -> operation(key, "wait=15"));

        complete(key);

        assertThat(status.join().status()).isEqualTo(200);
        assertThat(status.join().header("Preference-Applied")).isEqualTo("wait=15");
        assertThat(status.join().header("Cache-Control")).contains("no-store");
        assertThat(status.join().body()).contains("\"scope\":\"payments\",\"state\":\"COMPLETED\"");
        assertThat(operation(Intake.newKey(), "wait=15").status()).isEqualTo(404);
    }

    /** Else the server would wait for them for as long as it may, and then cut them off. */
    @Test
    void aStopAnswersThoseWhoWait() {
        CompletableFuture<Intake.Answer> answer;
        Stream<String> impatient =
                Stream.concat(settings(), Stream.of("spring.lifecycle.timeout-per-shutdown-phase=5s"));
        try (Intake stopped = Intake.startWithKeys(impatient)) {
            answer = inBackground(() -> send(stopped.request(FINAL), Intake.newKey(), "wait=20", Intake.BODY));
            awaitMessage();
        }

        assertThat(answer.join().status()).isEqualTo(202);
    }

    @Test
    void aRetryAfterARejectionOpensTheOperationWhereTheRouteSaysSo() {
        String key = Intake.newKey();
        intake.post(REOPENED, key);
        String id = Objects.requireNonNull(message()).getMessageProperties().getMessageId();
        assertThat(intake.post(REOPENED, key).replayed()).isTrue();
        reject(key);

        Intake.Answer retry = intake.post(REOPENED, key);

        assertThat(retry.status()).isEqualTo(202);
        assertThat(retry.replayed()).isFalse();
        assertThat(Objects.requireNonNull(message()).getMessageProperties().getMessageId())
                .isEqualTo(id);
        complete(key);
        assertThat(intake.post(REOPENED, key).replayed()).isTrue();
        assertThat(message()).isNull();
    }

    @Test
    void aClientThatWaitsIsToldThatItsRetryOpensTheOperation() {
        String key = Intake.newKey();
        CompletableFuture<Intake.Answer> answer = inBackground(() -> postAndWait(REOPENED, key, "wait=15"));
        awaitMessage();
        await().until(() -> state(key, "http.intake") == RecordState.COMPLETED);

        reject(key);

        assertThat(answer.join().status()).isEqualTo(409);
        assertThat(answer.join().body()).contains("urn:idem:problem:operation-rejected", "\"retryWithSameKey\":true");
    }

    @Test
    void aRequestWithAnotherBodyOpensNothing() {
        String key = Intake.newKey();
        intake.post(REOPENED, key);
        reject(key);

        assertThat(intake.post(REOPENED, Intake.NORTH, key, "{}").status()).isEqualTo(422);

        assertThat(state(key, "http.intake")).isEqualTo(RecordState.COMPLETED);
        assertThat(state(key, "payments")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void withoutThatRuleTheStoredAnswerIsReplayed() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        reject(key);

        assertThat(intake.post(FINAL, key).replayed()).isTrue();
        assertThat(state(key, "payments")).isEqualTo(RecordState.REJECTED);
    }

    private CompletableFuture<Intake.Answer> inBackground(Supplier<Intake.Answer> call) {
        return CompletableFuture.supplyAsync(call, clients);
    }

    private Intake.Answer postAndWait(String path, String key, String prefer) {
        return send(intake.request(path), key, prefer, Intake.BODY);
    }

    private Intake.Answer send(HttpRequest.Builder request, String key, String prefer, String body) {
        return intake.send(waiting(request, key, prefer, body));
    }

    private static HttpRequest.Builder waiting(HttpRequest.Builder request, String key, String prefer, String body) {
        return request.header("Authorization", "Bearer " + Intake.NORTH)
                .header("Idempotency-Key", key)
                .header("Prefer", prefer)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private Intake.Answer operation(String key, String prefer) {
        return intake.send(intake.request("/v1/operations/" + key)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Prefer", prefer));
    }

    private @Nullable Message message() {
        return broker.next(Broker.PAYMENTS);
    }

    private void awaitMessage() {
        await().until(() -> message() != null);
    }

    private void complete(String key) {
        store.complete(lease(key), StoredResult.NONE);
    }

    private void reject(String key) {
        store.reject(lease(key), "secret reason");
    }

    /** As a consumer, in the store that the intake has. */
    private Lease lease(String key) {
        return ((Claim.Granted) store.acquire(new AcquireRequest(
                        new RecordId(new IdempotencyKey("north", key), PAYMENTS),
                        OwnerToken.random(RANDOM),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        Fingerprint.NONE,
                        0,
                        0)))
                .lease();
    }

    private RecordState state(String key, String scope) {
        return store.inspect(new RecordId(new IdempotencyKey("north", key), new Scope(scope)))
                .map(RecordSnapshot::state)
                .orElse(RecordState.ABSENT);
    }

    /** A filter that sets a header on the way out, after an answer that is written at once would have left. */
    @Configuration(proxyBeanMethods = false)
    static class SlowWayOut {

        static final String HEADER = "X-Way-Out";
        private static final Duration LONG_ENOUGH_FOR_A_WRITE = Duration.ofSeconds(2);

        @Bean
        FilterRegistrationBean<Filter> wayOut() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(SlowWayOut::filter);
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
            return registration;
        }

        private static void filter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
            if (((HttpServletRequest) request).getHeader(HEADER) != null) {
                long end = System.nanoTime() + LONG_ENOUGH_FOR_A_WRITE.toNanos();
                while (!response.isCommitted() && System.nanoTime() < end) {
                    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                }
                ((HttpServletResponse) response).setHeader(HEADER, "set on the way out");
            }
        }
    }
}
