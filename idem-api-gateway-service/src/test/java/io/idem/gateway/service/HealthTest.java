package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.impl.AMQCommand;
import com.rabbitmq.client.impl.AMQConnection;
import io.idem.servers.proxy.TcpProxy;
import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/** What an orchestrator is told, without an API key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class HealthTest {

    private static final String PATH = "/v1/payments";

    private final Broker broker = new Broker();
    private final TcpProxy proxy =
            TcpProxy.to(broker.server().host(), broker.server().port());
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(Stream.of(
                        broker.settings(proxy.host(), proxy.port()),
                        broker.route(0, PATH, Broker.PAYMENTS),
                        Stream.of(
                                "management.endpoint.health.show-details=always",
                                "spring.rabbitmq.channel-rpc-timeout=1s"))
                .flatMap(part -> part));
    }

    @AfterEach
    void repair() {
        proxy.pass();
        intake.bean(SilentStore.class).silent(false);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
        proxy.close();
    }

    @Test
    void readinessFollowsTheBrokerAndLivenessDoesNot() {
        awaitReadiness(200, "\"rabbit\":\"UP\"", "\"store\":\"UP\"");

        proxy.refuse();
        awaitReadiness(503, "\"rabbit\":\"DOWN\"", "\"store\":\"UP\"");
        assertThat(health("liveness").status()).isEqualTo(200);

        proxy.pass();
        awaitReadiness(200, "\"rabbit\":\"UP\"");
    }

    @Test
    void aBrokerThatSaysNothingMoreIsNotReady() {
        assertThat(intake.post(PATH, Intake.newKey()).status()).isEqualTo(202);
        awaitReadiness(200, "\"rabbit\":\"UP\"");

        proxy.blackHole();
        awaitReadiness(503, "\"rabbit\":\"DOWN\"", "\"store\":\"UP\"");

        proxy.pass();
        awaitReadiness(200, "\"rabbit\":\"UP\"");
        assertThat(broker.next(Broker.PAYMENTS)).isNotNull();
    }

    @Test
    void readinessFollowsTheStore() {
        intake.bean(SilentStore.class).silent(true);
        awaitReadiness(503, "\"rabbit\":\"UP\"", "\"store\":\"DOWN\"");
        assertThat(health("liveness").status()).isEqualTo(200);

        intake.bean(SilentStore.class).silent(false);
        awaitReadiness(200, "\"store\":\"UP\"");
    }

    @Test
    void whileTheBrokerBlocksPublishersTheIntakeIsNotReadyAndSendsNothing() throws IOException {
        String key = Intake.newKey();
        AMQConnection connection = connection();
        connection.processControlCommand(new AMQCommand(
                new AMQP.Connection.Blocked.Builder().reason("low on memory").build()));

        Intake.Answer refused = intake.post(PATH, key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:idem:problem:hand-off-failed");
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");
        assertThat(broker.next(Broker.PAYMENTS)).isNull();
        awaitReadiness(503, "\"rabbit\":\"DOWN\"");

        connection.processControlCommand(new AMQCommand(new AMQP.Connection.Unblocked.Builder().build()));
        assertThat(intake.post(PATH, key).status()).isEqualTo(202);
        assertThat(broker.next(Broker.PAYMENTS)).isNotNull();
        awaitReadiness(200, "\"rabbit\":\"UP\"");
    }

    @Test
    void aBlockedConnectionThatIsGoneBlocksNobody() throws IOException {
        connection()
                .processControlCommand(new AMQCommand(new AMQP.Connection.Blocked.Builder()
                        .reason("low on memory")
                        .build()));
        proxy.cut();

        await().until(() -> intake.post(PATH, Intake.newKey()).status() == 202);
        assertThat(broker.next(Broker.PAYMENTS)).isNotNull();
    }

    @Test
    void aConnectionWhoseBrokerSaysNothingMoreEndsWithinAMinute() {
        assertThat(connection().getHeartbeat()).isBetween(1, 20);
    }

    /** The client's, which takes what a broker says. */
    private AMQConnection connection() {
        return (AMQConnection) Objects.requireNonNull(
                intake.bean(ConnectionFactory.class).createConnection().getDelegate());
    }

    private void awaitReadiness(int status, String... contents) {
        await().untilAsserted(() -> {
            assertThat(health("readiness").body()).contains(contents);
            assertThat(health("readiness").status()).isEqualTo(status);
        });
    }

    private Intake.Answer health(String group) {
        return intake.send(intake.request("/actuator/health/" + group));
    }
}
