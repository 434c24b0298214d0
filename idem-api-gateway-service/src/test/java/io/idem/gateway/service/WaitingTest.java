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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
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
        intake = Intake.startWithKeys(settings(), WayOut.class);
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
        intake.bean(WayOut.class).waiting.set(0);
        broker.drain(Broker.PAYMENTS);
    }

    @AfterAll
    void stop() {
        clients.shutdownNow();
        intake.close();
        broker.close();
    }

    @Test
    void aPostIsAnsweredAtOnceWhateverItPrefers() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        complete(key);

        Intake.Answer replay = intake.send(intake.request(FINAL)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Idempotency-Key", key)
                .header("Prefer", "wait=15")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(replay.status()).isEqualTo(202);
        assertThat(replay.replayed()).isTrue();
        assertThat(replay.header("Preference-Applied")).isEmpty();
    }

    @Test
    void theStatusMayBeWaitedFor() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        CompletableFuture<Intake.Answer> status = inBackground(() -> operation(key, "wait=15"));
        awaitWaiting(1);
        assertThat(status).isNotDone();

        complete(key);

        assertThat(status.join().status()).isEqualTo(200);
        assertThat(status.join().header("Preference-Applied")).isEqualTo("wait=15");
        assertThat(status.join().header("Cache-Control")).contains("no-store");
        assertThat(status.join().body()).contains("\"scope\":\"payments\",\"state\":\"COMPLETED\"");
        assertThat(operation(Intake.newKey(), "wait=15").status()).isEqualTo(404);
    }

    @Test
    void anAnswerIsWrittenAfterTheRequestsThreadHasLeftTheFilters() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        complete(key);

        Intake.Answer answer = intake.send(waiting(intake, key, "wait=15").header(WayOut.HEADER, "wanted"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header(WayOut.HEADER)).isEqualTo("set on the way out");
    }

    @Test
    void whenTheTimeIsOverTheStatusIsGivenAsItIs() {
        String key = Intake.newKey();
        intake.post(FINAL, key);

        Intake.Answer answer = operation(key, "wait=1");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Preference-Applied")).isEqualTo("wait=1");
        assertThat(answer.body()).contains("\"scope\":\"http.intake\",\"state\":\"COMPLETED\"");
    }

    @Test
    void aWaitIsBoundedAndWhatIsNoWaitIsIgnored() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        complete(key);

        assertThat(operation(key, "wait=600").header("Preference-Applied")).isEqualTo("wait=20");
        assertThat(operation(key, "wait=0").header("Preference-Applied")).isEmpty();
        assertThat(operation(key, "wait=soon").header("Preference-Applied")).isEmpty();
    }

    @Test
    void aClientThatWaitsLearnsOfARejection() {
        String key = Intake.newKey();
        intake.post(FINAL, key);
        reject(key);

        Intake.Answer answer = operation(key, "wait=15");

        assertThat(answer.header("Preference-Applied")).isEqualTo("wait=15");
        assertThat(answer.body())
                .contains("\"scope\":\"payments\",\"state\":\"REJECTED\"")
                .doesNotContain("secret reason");
    }

    @Test
    void manyWhoWaitHoldNoThreads() {
        List<String> keys = Stream.generate(Intake::newKey).limit(CLIENTS).toList();
        keys.forEach(key -> intake.post(FINAL, key));
        List<CompletableFuture<Intake.Answer>> answers = keys.stream()
                .map(key -> inBackground(() -> operation(key, "wait=20")))
                .toList();
        awaitWaiting(CLIENTS);

        keys.forEach(this::complete);

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().body()).contains("\"scope\":\"payments\""));
    }

    /** Else the server would wait for them for as long as it may, and then cut them off. */
    @Test
    void aStopAnswersThoseWhoWait() {
        CompletableFuture<Intake.Answer> answer;
        Stream<String> impatient =
                Stream.concat(settings(), Stream.of("spring.lifecycle.timeout-per-shutdown-phase=5s"));
        try (Intake stopped = Intake.startWithKeys(impatient, WayOut.class)) {
            String key = Intake.newKey();
            stopped.post(FINAL, key);
            answer = inBackground(() -> stopped.send(waiting(stopped, key, "wait=20")));
            await().until(() -> stopped.bean(WayOut.class).waiting.get() == 1);
        }

        assertThat(answer.join().status()).isEqualTo(200);
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

    private Intake.Answer operation(String key, String prefer) {
        return intake.send(waiting(intake, key, prefer));
    }

    private static HttpRequest.Builder waiting(Intake asked, String key, String prefer) {
        return asked.request("/v1/operations/" + key)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Prefer", prefer);
    }

    private @Nullable Message message() {
        return broker.next(Broker.PAYMENTS);
    }

    private void awaitWaiting(int clients) {
        await().until(() -> intake.bean(WayOut.class).waiting.get() == clients);
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

    /**
     * Counts the requests whose thread has left while their client waits, and sets a header on the way out, after an
     * answer that is written at once would have left.
     */
    @Configuration(proxyBeanMethods = false)
    static class WayOut {

        static final String HEADER = "X-Way-Out";
        private static final Duration LONG_ENOUGH_FOR_A_WRITE = Duration.ofSeconds(2);

        final AtomicInteger waiting = new AtomicInteger();

        @Bean
        FilterRegistrationBean<Filter> wayOut() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(this::filter);
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
            return registration;
        }

        private void filter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
            if (request.isAsyncStarted()) {
                waiting.incrementAndGet();
            }
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
