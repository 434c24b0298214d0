package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Outbox;
import io.idem.OutgoingMessage;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.gateway.AwaitedOutcome;
import io.idem.gateway.Destination;
import io.idem.gateway.IntakeRequest;
import io.idem.gateway.IntakeRouter;
import io.idem.gateway.Middleware;
import io.idem.gateway.handoff.HandOff;
import io.idem.http.StoredAnswers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.ServerResponse;

/** Routes in code, in the order of their middlewares. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class CodedRouteTest {

    private static final String PATH = "/v1/transfers";
    private static final String BOXED = "transfer.boxed";

    private final Broker broker = new Broker();
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        broker.bind(BOXED);
        intake = Intake.startWithKeys(
                Stream.concat(broker.settings(), Stream.of("test.exchange=" + broker.exchange())), Transfers.class);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void middlewaresRunInTheOrderOfTheirUseAroundTheHandler() {
        String key = Intake.newKey();

        Intake.Answer answer = intake.post(PATH, key);

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body()).contains("\"tenant\":\"north\"");
        assertThat(log(key)).containsExactly("first", "second", "handler", "second done", "first done");
        assertThat(broker.next(Broker.PAYMENTS)).isNotNull();
    }

    @Test
    void itsConsumersMayBeWaitedForIfABeanNamesThem() {
        String key = Intake.newKey();
        intake.post(PATH, key);

        Intake.Answer status = intake.send(intake.request("/v1/operations/" + key)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Prefer", "wait=1"));

        assertThat(status.header("Preference-Applied")).isEqualTo("wait=1");
    }

    @Test
    void aReplayPassesNoMiddleware() {
        String key = Intake.newKey();
        intake.post(PATH, key);
        int before = log(key).size();

        assertThat(intake.post(PATH, key).replayed()).isTrue();
        assertThat(log(key)).hasSize(before);
    }

    @Test
    void aServerErrorFreesTheKeyWhateverTheRouteStores() {
        String key = Intake.newKey();

        assertThat(intake.post("/v1/unroutable", key).status()).isEqualTo(503);
        assertThat(intake.post("/v1/unroutable", key).replayed()).isFalse();
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"attempts\":2", "\"state\":\"FAILED\"");
    }

    @Test
    void aRouteWithAnInboxKeepsItsHandOffForTheRelay() {
        String key = Intake.newKey();

        Intake.Answer first = intake.post("/v1/boxed", key);

        assertThat(first.status()).isEqualTo(202);
        assertThat(intake.bean(Rows.class).kept(new IdempotencyKey("north", key)))
                .hasSize(1);
        assertThat(broker.next(BOXED)).as("nobody relays in this test").isNull();
        assertThat(intake.post("/v1/boxed", key).replayed()).isTrue();
    }

    private List<String> log(String key) {
        return intake.bean(Log.class).entries().stream()
                .filter(entry -> entry.startsWith(key))
                .map(entry -> entry.substring(key.length() + 1))
                .toList();
    }

    /** An outbox that commits and relays nothing. */
    static final class Rows implements Outbox, Inbox {

        private final Map<String, Effect> rows = new ConcurrentHashMap<>();

        List<OutgoingMessage> kept(IdempotencyKey key) {
            return Optional.ofNullable(rows.get(key.id())).orElseThrow().outgoing();
        }

        @Override
        public Inbox inbox(Scope scope) {
            return this;
        }

        @Override
        public InboxOutcome run(Request request, InboxWork work) throws Exception {
            Optional<Effect> effect = work.run(request.lease());
            if (effect.isEmpty()) {
                return new InboxOutcome.RolledBack();
            }
            rows.put(request.record().key().id(), effect.get());
            return new InboxOutcome.Committed(new Effect(effect.get().result(), List.of()));
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return Optional.ofNullable(rows.get(record.key().id()));
        }
    }

    record Log(List<String> entries) {

        Middleware named(String name) {
            return (request, next) -> {
                add(request, name);
                ServerResponse response = next.handle(request);
                add(request, name + " done");
                return response;
            };
        }

        void add(IntakeRequest request, String what) {
            entries.add(request.key().value() + " " + what);
        }
    }

    /** What a user writes. */
    @Configuration(proxyBeanMethods = false)
    static class Transfers {

        @Bean
        Rows rows() {
            return new Rows();
        }

        @Bean
        Log log() {
            return new Log(new CopyOnWriteArrayList<>());
        }

        @Bean
        AwaitedOutcome consumers() {
            return new AwaitedOutcome(Set.of(new Scope("transfers")));
        }

        @Bean
        IntakeRouter transfers(HandOff handOff, Log log, Environment environment) {
            String exchange = environment.getRequiredProperty("test.exchange");
            return IntakeRouter.create()
                    .use(log.named("first"))
                    .use(log.named("second"))
                    .POST(
                            PATH,
                            handOff.to(Destination.exchange(exchange, Broker.PAYMENTS))
                                    .then(request -> {
                                        log.add(request, "handler");
                                        return ServerResponse.accepted()
                                                .body(Map.of(
                                                        "id",
                                                        request.id(),
                                                        "tenant",
                                                        request.key().tenant()));
                                    }))
                    .POST(
                            "/v1/boxed",
                            options -> options.inbox(true),
                            handOff.to(Destination.exchange(exchange, BOXED))
                                    .then(request -> ServerResponse.accepted().build()))
                    .POST(
                            "/v1/unroutable",
                            options -> options.storing(StoredAnswers.EVERYTHING),
                            handOff.to(Destination.exchange(exchange, "nobody"))
                                    .then(request -> ServerResponse.accepted().build()));
        }
    }
}
