package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.OutgoingMessage;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.LedgerOutbox;
import io.idem.http.contract.Runs;
import io.idem.http.contract.Unwritable;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Handlers inside a transaction of the inbox: what was answered was committed, and what was not committed is free to be tried again. */
@AppTest(
        value = InboxedRouteTest.Boxed.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=1KB",
            "idem.http.routes[0].path=/configured/**",
            "idem.http.routes[0].inbox=true"
        })
class InboxedRouteTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final LedgerOutbox database;
    private final String key = Client.newKey();

    InboxedRouteTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
        this.database = app.bean(LedgerOutbox.class);
    }

    private OutgoingMessage message(String carried) {
        return new OutgoingMessage("rabbit", "orders", carried.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated/pay", "/configured/pay", "/functional/pay"})
    void aHandlersWritesItsMessagesAndItsAnswerAreCommittedTogether(String path) {
        Answer first = client.post(path, key);
        Answer second = client.post(path, key);

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Location")).isEqualTo("/payments/1");
        assertThat(first.body()).isEqualTo("paid 1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(database.ledger()).containsOnlyOnce(key);
        assertThat(database.relayed())
                .as("the first message carries the client's own key")
                .containsOnlyOnce(message(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated/pay", "/annotated/only-attempt", "/functional/pay"})
    void whatWasCommittedIsAnsweredFromItsRowWhenTheRecordDoesNotKnowIt(String path) {
        store.silentOnComplete(true);
        Answer first = client.post(path, key);
        store.silentOnComplete(false);
        store.advance(Duration.ofMinutes(1));

        Answer second = client.post(path, key);

        assertThat(first.status())
                .as("the row is durable, whatever the store says")
                .isEqualTo(201);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Location")).isEqualTo("/payments/1");
        assertThat(runs.of(key)).isEqualTo(1);
        assertThat(database.ledger()).containsOnlyOnce(key);
    }

    @Test
    void anotherBodyIsRefusedWhereOnlyTheRowIsLeftAndTheFirstOneIsStillAnswered() {
        Answer first = client.post("/annotated/pay", key);
        store.advance(Duration.ofDays(2));

        assertThat(client.post("/annotated/pay", key, "{\"another\":1}").status())
                .isEqualTo(422);

        Answer duplicate = client.post("/annotated/pay", key);
        assertThat(duplicate.replayed()).isTrue();
        assertThat(duplicate.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void anAnswerThatTheHandlerGivesAndTheRouteStoresIsCommitted() {
        assertThat(client.post("/annotated/declined", key).status()).isEqualTo(422);
        assertThat(client.post("/annotated/declined", key).replayed()).isTrue();
        assertThat(database.ledger()).containsOnlyOnce(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/busy-once",
                "/annotated/throws-once",
                "/annotated/handled-once",
                "/annotated/error-once",
                "/annotated/status-once",
                "/annotated/eof-once",
                "/annotated/pipe-once",
                "/functional/throws-once",
                "/functional/eof-once",
                "/functional/pipe-once",
                "/functional/busy-once"
            })
    void anExceptionAndAnAnswerThatIsNotStoredRollBackAndFreeTheKey(String path) {
        Answer first = client.post(path, key);
        assertThat(first.status()).isGreaterThanOrEqualTo(400);
        assertThat(database.ledger()).doesNotContain(key);
        assertThat(database.relayed()).doesNotContain(message(key));

        Answer second = client.post(path, key);

        assertThat(second.body()).isEqualTo("paid 2");
        assertThat(second.replayed()).isFalse();
        assertThat(database.ledger()).containsOnlyOnce(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated/moved-once", "/annotated/no-result-once", "/annotated/unwritable-once"})
    void anAnswerThatIsNoResultRollsBackAndFreesTheKey(String path) {
        client.post(path, key);
        assertThat(database.ledger()).doesNotContain(key);

        Answer second = client.post(path, key);

        assertThat(second.body()).isEqualTo("paid 2");
        assertThat(database.ledger()).containsOnlyOnce(key);
    }

    @Test
    void headersOfAHandlerThatThrowsAreRetracted() {
        Answer failed = client.post("/annotated/throws-after-headers", key);

        assertThat(failed.status()).isEqualTo(500);
        assertThat(failed.header("X-Payment")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated/pay", "/functional/pay"})
    void aCommitThatFailsIsNotAnsweredAsIfItHadSucceeded(String path) {
        database.failNextCommit(new IllegalStateException("the database objects"));

        Answer first = client.post(path, key);

        assertThat(first.status()).isEqualTo(500);
        assertThat(first.header("Location")).isEmpty();
        assertThat(first.body()).doesNotContain("paid");
        assertThat(client.post(path, key).body()).isEqualTo("paid 2");
        assertThat(database.ledger()).containsOnlyOnce(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated/pay", "/functional/pay"})
    void aDatabaseThatIsAwayGets503AndNothingRuns(String path) {
        database.goAwayOnce();

        assertThat(client.post(path, key).status()).isEqualTo(503);
        assertThat(runs.of(key)).isZero();
        assertThat(client.post(path, key).status()).isEqualTo(201);
    }

    @Test
    void aSilentStoreGets503AndNothingRuns() {
        store.failNextAcquire(FaultyStore.silence());

        assertThat(client.post("/annotated/pay", key).body()).contains("urn:idem:problem:store-unavailable");
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void nothingLeavesBeforeTheCommitHoweverLongTheAnswerIs() {
        database.failNextCommit(new IllegalStateException("the database objects"));
        assertThat(client.post("/annotated/long", key).status()).isEqualTo(500);

        Answer first = client.post("/annotated/long", key);
        Answer second = client.post("/annotated/long", key);

        assertThat(first.body()).hasSize(5_000);
        assertThat(second.replayed()).isTrue();
        assertThat(second.header("Idempotency-Body-Omitted")).isEqualTo("true");
    }

    @Test
    void asynchronousWorkIsRefusedAndRolledBack() {
        assertThat(client.post("/configured/late", key).status()).isEqualTo(500);
        assertThat(database.ledger()).doesNotContain(key);
    }

    @Test
    void aDuplicateOfARunningRequestGets409() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/annotated/pay", key);
        await().until(() -> runs.of(key) == 1);

        Answer duplicate = client.post("/annotated/pay", key);
        Answer other = client.post("/annotated/pay", key, "{\"other\":1}");
        runs.open(key);

        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(other.status()).isEqualTo(422);
        assertThat(first.join().status()).isEqualTo(201);
    }

    @Test
    void aDuplicateMayWaitForTheAnswer() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/annotated/patient", key);
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<Answer> duplicate = client.postAsync("/annotated/patient", key);
        await().until(() -> store.acquires(IdempotencyKey.of(key)) > 2);
        runs.open(key);

        assertThat(duplicate.join().replayed()).isTrue();
        assertThat(duplicate.join().bytes()).isEqualTo(first.join().bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void inboxesAreOpenBeforeTheFirstRequestSoThatTheRelayServesThem() {
        assertThat(database.scopes()).contains(new Scope("http.shop"), new Scope("http.unused"));
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Annotated.class, Configured.class})
    static class Boxed {

        @Bean
        LedgerOutbox outbox() {
            return new LedgerOutbox();
        }

        @Bean
        Till till(LedgerOutbox database, Runs runs) {
            return new Till(database, runs);
        }

        @Bean
        IdempotentRoute functionalRoute() {
            return IdempotentRoute.post("/functional/**").with(options -> options.inbox(true));
        }

        @Bean
        RouterFunction<ServerResponse> functions(Till till) {
            return RouterFunctions.route()
                    .POST("/functional/pay", request -> paid(till.pay(keyOf(request))))
                    .POST("/functional/throws-once", request -> {
                        int run = till.pay(keyOf(request));
                        Till.failFirst(run);
                        return paid(run);
                    })
                    .POST("/functional/eof-once", request -> {
                        int run = till.pay(keyOf(request));
                        Till.loseFirst(run, new EOFException("ordered by a test"));
                        return paid(run);
                    })
                    .POST("/functional/pipe-once", request -> {
                        int run = till.pay(keyOf(request));
                        Till.loseFirst(run, new IOException("Broken pipe"));
                        return paid(run);
                    })
                    .POST("/functional/busy-once", request -> {
                        int run = till.pay(keyOf(request));
                        return run == 1 ? ServerResponse.status(503).build() : paid(run);
                    })
                    .build();
        }

        private static String keyOf(ServerRequest request) {
            return String.valueOf(request.headers().firstHeader(Client.KEY));
        }

        private static ServerResponse paid(int run) {
            return ServerResponse.status(201)
                    .header("Location", "/payments/" + run)
                    .body("paid " + run);
        }
    }

    /** Pays, and tells the others. */
    record Till(LedgerOutbox database, Runs runs) {

        int pay(String key) {
            int run = runs.enter(key);
            database.write(key);
            IdempotencyContext context = IdempotencyContext.current().orElseThrow();
            assertThat(context.publications().keeping()).isTrue();
            String carried = context.publications().nextKey("orders").value();
            context.publications()
                    .keep(new OutgoingMessage("rabbit", "orders", carried.getBytes(StandardCharsets.UTF_8)));
            return run;
        }

        static void failFirst(int run) {
            if (run == 1) {
                throw new IllegalStateException("ordered by a test");
            }
        }

        /** As when a connection of the handler's own breaks. */
        static void loseFirst(int run, IOException broken) throws IOException {
            if (run == 1) {
                throw broken;
            }
        }
    }

    @RestController
    @Idempotent(inbox = true)
    static class Annotated {

        private final Till till;

        Annotated(Till till) {
            this.till = till;
        }

        private static ResponseEntity<String> paid(int run) {
            return ResponseEntity.status(201)
                    .header("Location", "/payments/" + run)
                    .body("paid " + run);
        }

        @PostMapping("/annotated/pay")
        ResponseEntity<String> pay(IdempotencyKey key) {
            return paid(till.pay(key.value()));
        }

        @PostMapping("/annotated/patient")
        @Idempotent(inbox = true, waitFor = "20s")
        ResponseEntity<String> patient(IdempotencyKey key) {
            return pay(key);
        }

        @PostMapping("/annotated/only-attempt")
        @Idempotent(inbox = true, maxAttempts = 1)
        ResponseEntity<String> onlyAttempt(IdempotencyKey key) {
            return pay(key);
        }

        @PostMapping("/annotated/unused")
        @Idempotent(inbox = true, scope = "http.unused")
        ResponseEntity<String> unused(IdempotencyKey key) {
            return pay(key);
        }

        @PostMapping("/annotated/declined")
        ResponseEntity<String> declined(IdempotencyKey key) {
            return ResponseEntity.unprocessableContent().body("declined " + till.pay(key.value()));
        }

        @PostMapping("/annotated/busy-once")
        ResponseEntity<String> busyOnce(IdempotencyKey key) {
            int run = till.pay(key.value());
            return run == 1 ? ResponseEntity.status(503).build() : paid(run);
        }

        @PostMapping("/annotated/moved-once")
        ResponseEntity<String> movedOnce(IdempotencyKey key) {
            int run = till.pay(key.value());
            return run == 1
                    ? ResponseEntity.status(307)
                            .header("Location", "/elsewhere")
                            .build()
                    : paid(run);
        }

        @PostMapping("/annotated/no-result-once")
        ResponseEntity<String> noResultOnce(IdempotencyKey key, IdempotencyContext context) {
            int run = till.pay(key.value());
            if (run == 1) {
                context.answerIsNoResult();
            }
            return paid(run);
        }

        @PostMapping("/annotated/unwritable-once")
        ResponseEntity<Object> unwritableOnce(IdempotencyKey key) {
            int run = till.pay(key.value());
            return ResponseEntity.ok().body(run == 1 ? new Unwritable() : "paid " + run);
        }

        @PostMapping("/annotated/throws-once")
        ResponseEntity<String> throwsOnce(IdempotencyKey key) throws IOException {
            int run = till.pay(key.value());
            if (run == 1) {
                throw new IOException("ordered by a test");
            }
            return paid(run);
        }

        @PostMapping("/annotated/throws-after-headers")
        void throwsAfterHeaders(IdempotencyKey key, HttpServletResponse response) throws IOException {
            response.setHeader("X-Payment", String.valueOf(till.pay(key.value())));
            throw new IOException("ordered by a test");
        }

        @PostMapping("/annotated/eof-once")
        ResponseEntity<String> eofOnce(IdempotencyKey key) throws IOException {
            int run = till.pay(key.value());
            Till.loseFirst(run, new EOFException("ordered by a test"));
            return paid(run);
        }

        @PostMapping("/annotated/pipe-once")
        ResponseEntity<String> pipeOnce(IdempotencyKey key) throws IOException {
            int run = till.pay(key.value());
            Till.loseFirst(run, new IOException("Broken pipe"));
            return paid(run);
        }

        @PostMapping("/annotated/handled-once")
        ResponseEntity<String> handledOnce(IdempotencyKey key) {
            int run = till.pay(key.value());
            Till.failFirst(run);
            return paid(run);
        }

        /** Deterministic by its status, and all the same an answer to a failure. */
        @ExceptionHandler
        ResponseEntity<String> refused(IllegalStateException failure) {
            return ResponseEntity.unprocessableContent().body(failure.getMessage());
        }

        @PostMapping("/annotated/status-once")
        ResponseEntity<String> statusOnce(IdempotencyKey key) {
            int run = till.pay(key.value());
            if (run == 1) {
                throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT);
            }
            return paid(run);
        }

        @PostMapping("/annotated/error-once")
        void errorOnce(IdempotencyKey key, HttpServletResponse response) throws IOException {
            int run = till.pay(key.value());
            if (run == 1) {
                response.sendError(422);
            } else {
                response.getWriter().print("paid " + run);
            }
        }

        @PostMapping("/annotated/long")
        void longAnswer(IdempotencyKey key, HttpServletResponse response) throws IOException {
            var unused = till.pay(key.value());
            for (int part = 0; part < 5; part++) {
                response.getOutputStream().write(new byte[1_000]);
                response.flushBuffer();
            }
        }
    }

    @RestController
    static class Configured {

        private final Till till;

        Configured(Till till) {
            this.till = till;
        }

        @PostMapping("/configured/pay")
        ResponseEntity<String> pay(HttpServletRequest request) {
            return Annotated.paid(till.pay(request.getHeader(Client.KEY)));
        }

        @PostMapping("/configured/late")
        Callable<String> late(HttpServletRequest request) {
            int run = till.pay(request.getHeader(Client.KEY));
            return () -> "paid " + run;
        }
    }
}
