package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An intake whose way to RabbitMQ breaks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class BrokerDownTest {

    private static final String PATH = "/v1/payments";
    private static final int CLIENTS = 3;

    private final Broker broker = new Broker();
    private final TcpProxy proxy =
            TcpProxy.to(broker.server().host(), broker.server().port());
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(Stream.of(
                        broker.settings(proxy.host(), proxy.port()),
                        broker.route(0, PATH, Broker.PAYMENTS),
                        Stream.of("idem.gateway.confirm-timeout=1s"))
                .flatMap(part -> part));
    }

    @AfterEach
    void repair() {
        proxy.pass();
    }

    @AfterAll
    void stop() {
        clients.shutdownNow();
        intake.close();
        broker.close();
        proxy.close();
    }

    /** A slow broker may confirm later than the intake waits: the client comes again, as 503 asks it to. */
    private static void awaitTaken(Intake intake, String key) {
        await().atMost(Duration.ofMinutes(2)).until(() -> intake.post(PATH, key).status() == 202);
    }

    @Test
    void whileTheBrokerIsDownRequestsGet503AndTheirKeysStayFree() {
        String key = Intake.newKey();
        proxy.refuse();

        Intake.Answer refused = intake.post(PATH, key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body()).doesNotContain(proxy.host());
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");

        proxy.pass();
        awaitTaken(intake, key);
    }

    @Test
    void aMessageThatIsNotConfirmedInTimeIsNotReportedAsTaken() {
        String key = Intake.newKey();
        awaitTaken(intake, Intake.newKey());
        proxy.blackHole();

        Intake.Answer refused = intake.post(PATH, key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:idem:problem:hand-off-failed");
        proxy.pass();
        awaitTaken(intake, key);
    }

    /** All but the first need a channel of their own, which a silent broker does not open. */
    @Test
    void aSilentBrokerDoesNotHoldRequestsThatNeedANewChannel() {
        awaitTaken(intake, Intake.newKey());
        proxy.blackHole();

        List<CompletableFuture<Intake.Answer>> answers = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> intake.post(PATH, Intake.newKey()), clients))
                .limit(CLIENTS)
                .toList();

        assertThat(answers.stream().map(answer -> answer.join().status())).containsOnly(503);
    }

    @Test
    @Tag("extended")
    void aSilentBrokerHoldsNoMoreRequestsThanMayBePublishing() {
        Stream<String> limited = Stream.of(
                        broker.settings(proxy.host(), proxy.port()),
                        broker.route(0, PATH, Broker.PAYMENTS),
                        Stream.of("idem.gateway.max-publishing=1", "idem.gateway.confirm-timeout=20s"))
                .flatMap(part -> part);
        try (Intake small = Intake.startWithKeys(limited)) {
            awaitTaken(small, Intake.newKey());
            proxy.blackHole();
            List<CompletableFuture<Intake.Answer>> answers = Stream.generate(
                            () -> CompletableFuture.supplyAsync(() -> small.post(PATH, Intake.newKey()), clients))
                    .limit(CLIENTS)
                    .toList();
            await().until(() ->
                    answers.stream().filter(CompletableFuture::isDone).count() == CLIENTS - 1);
            proxy.pass();

            assertThat(answers.stream().map(answer -> answer.join().status())).containsExactlyInAnyOrder(202, 503, 503);
        }
    }
}
