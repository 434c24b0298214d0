package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;

/** Configured routes to RabbitMQ, on a real broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class RabbitRouteTest {

    private static final String PATH = "/v1/payments";

    private final Broker broker = new Broker();
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        Stream<String> routes = Stream.concat(
                broker.route(0, PATH, Broker.PAYMENTS), broker.route(1, "/v1/refunds/{payment}", "refund.requested"));
        Stream<String> broken = Stream.concat(
                broker.route(2, "/v1/small", "small"),
                Stream.of(
                        "idem.gateway.routes[3].path=/v1/nowhere",
                        "idem.gateway.routes[3].exchange=no-such-exchange",
                        "idem.gateway.routes[3].routing-key=any"));
        Stream<String> answers = Stream.of(
                "idem.gateway.routes[0].response.location=/v1/payments/{id}",
                "idem.gateway.routes[1].response.status=200",
                "idem.gateway.routes[1].response.body={\"refundOf\":\"{payment}\",\"key\":\"{key}\"}");
        Stream<String> overlapping = Stream.of(
                        broker.route(4, "/v1/kinds/{kind}", Broker.PAYMENTS),
                        broker.route(5, "/v1/kinds/special", Broker.PAYMENTS),
                        Stream.of("idem.gateway.routes[5].response.status=200"))
                .flatMap(part -> part);
        intake = Intake.startWithKeys(Stream.of(broker.settings(), routes, broken, answers, overlapping)
                .flatMap(part -> part));
    }

    @AfterEach
    void drain() {
        broker.drain(Broker.PAYMENTS);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void aConfirmedRequestIsAnswered202WithIdsDerivedFromTenantAndKey() {
        String key = Intake.newKey();
        String id = new IdempotencyKey("north", key).id();

        Intake.Answer answer = intake.post(PATH, key);

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("{\"id\":\"" + id + "\",\"status\":\"accepted\"}");
        assertThat(answer.header("Location")).isEqualTo("/v1/payments/" + id);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.replayed()).isFalse();
    }

    @Test
    void theMessageCarriesTheBytesReceivedUnderTheClientsKey() {
        String key = Intake.newKey();

        intake.post(PATH, key);

        Message message = message();
        MessageProperties properties = message.getMessageProperties();
        assertThat(new String(message.getBody(), StandardCharsets.UTF_8)).isEqualTo(Intake.BODY);
        assertThat(properties.getContentType()).isEqualTo("application/json");
        assertThat(properties.getReceivedDeliveryMode()).isEqualTo(MessageDeliveryMode.PERSISTENT);
        assertThat(properties.getMessageId()).isEqualTo(new IdempotencyKey("north", key).id());
        assertThat(properties.getHeaders())
                .extractingByKeys(IdempotencyHeaders.KEY, IdempotencyHeaders.TENANT, IdempotencyHeaders.ROOT)
                .extracting(String::valueOf)
                .containsExactly(key, "north", key);
    }

    @Test
    void aRetryIsAnsweredByteForByteAndPublishesNothing() {
        String key = Intake.newKey();
        Intake.Answer first = intake.post(PATH, key);

        Intake.Answer retry = intake.post(PATH, key);

        assertThat(retry.replayed()).isTrue();
        assertThat(retry.status()).isEqualTo(first.status());
        assertThat(retry.response().body()).isEqualTo(first.response().body());
        assertThat(retry.header("Location")).isEqualTo(first.header("Location"));
        message();
        assertThat(broker.next(Broker.PAYMENTS)).isNull();
    }

    @Test
    void theSameKeyOfTwoTenantsIsTwoOperations() {
        String key = Intake.newKey();

        Intake.Answer north = intake.post(PATH, Intake.NORTH, key, Intake.BODY);
        Intake.Answer south = intake.post(PATH, Intake.SOUTH, key, Intake.BODY);

        assertThat(south.status()).isEqualTo(202);
        assertThat(south.replayed()).isFalse();
        assertThat(south.body()).isNotEqualTo(north.body());
        assertThat(Stream.of(message(), message()).map(this::tenant)).containsExactly("north", "south");
    }

    @Test
    void theMostSpecificRouteWinsWhereverItIsDeclared() {
        assertThat(intake.post("/v1/kinds/special", Intake.newKey()).status()).isEqualTo(200);
        assertThat(intake.post("/v1/kinds/other", Intake.newKey()).status()).isEqualTo(202);
    }

    @Test
    void anotherBodyUnderTheSameKeyIsRefused() {
        String key = Intake.newKey();
        intake.post(PATH, key);

        assertThat(intake.post(PATH, Intake.NORTH, key, "{}").status()).isEqualTo(422);
    }

    @Test
    void anUnroutableRequestIsAnswered503AndItsKeyFreedUntilThereIsAQueue() {
        String key = Intake.newKey();
        String path = "/v1/refunds/p-1";

        Intake.Answer refused = intake.post(path, key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.body())
                .contains("urn:idem:problem:hand-off-failed", "\"retryWithSameKey\":true", "counts as failed")
                .doesNotContain("othing was recorded");
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");

        broker.bind("refund.requested");
        Intake.Answer taken = intake.post(path, key);

        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.replayed()).isFalse();
        assertThat(taken.body()).isEqualTo("{\"refundOf\":\"p-1\",\"key\":\"" + key + "\"}");
        assertThat(broker.next("refund.requested")).isNotNull();
    }

    @Test
    void aMessageThatItsQueueRefusesIsNotReportedAsTaken() {
        broker.bindSmall("small");
        assertThat(intake.post("/v1/small", Intake.newKey()).status()).isEqualTo(202);
        String key = Intake.newKey();

        Intake.Answer refused = intake.post("/v1/small", key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:idem:problem:hand-off-failed");
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");
        assertThat(broker.next("small")).isNotNull();
        assertThat(intake.post("/v1/small", key).status()).isEqualTo(202);
    }

    @Test
    void aMissingExchangeClosesTheChannelAndTheRequestIsNotReportedAsTaken() {
        String key = Intake.newKey();

        Intake.Answer refused = intake.post("/v1/nowhere", key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:idem:problem:hand-off-failed").doesNotContain("no-such-exchange");
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"FAILED\"");
        assertThat(intake.post(PATH, Intake.newKey()).status()).isEqualTo(202);
        message();
    }

    @Test
    void aBodyThatIsNoJsonObjectIsRefusedWithoutTakingTheKey() {
        String key = Intake.newKey();

        Intake.Answer refused = intake.post(PATH, Intake.NORTH, key, "[1]");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("urn:idem:problem:body-not-json-object");
        assertThat(intake.operation(Intake.NORTH, key).status()).isEqualTo(404);
        assertThat(intake.post(PATH, key).status()).isEqualTo(202);
    }

    @Test
    void aRequestWithoutKeyIsRefused() {
        Intake.Answer refused = intake.send(intake.request(PATH)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("urn:idem:problem:key-missing");
    }

    private String tenant(Message message) {
        return String.valueOf(message.getMessageProperties().getHeaders().get(IdempotencyHeaders.TENANT));
    }

    private Message message() {
        return Objects.requireNonNull(broker.next(Broker.PAYMENTS), "no message");
    }
}
