package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;

/** What the settings of single routes do to requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class SingleRouteTest {

    private static final String STRICT = "/v1/payments";
    private static final String KEYLESS = "/v1/events";
    private static final String WEBHOOK = "/webhooks/{source}";

    private final Broker broker = new Broker();
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(
                Stream.of(
                                broker.settings(),
                                broker.route(0, STRICT, Broker.PAYMENTS),
                                broker.route(1, KEYLESS, Broker.PAYMENTS),
                                broker.route(2, WEBHOOK, Broker.PAYMENTS),
                                Stream.of(
                                        "idem.http.headers.retention=Idempotency-Retention",
                                        "idem.gateway.open-paths=/webhooks/**",
                                        "idem.gateway.routes[0].schema=classpath:schemas/payment.json",
                                        "idem.gateway.routes[0].key-format=uuid",
                                        "idem.gateway.routes[0].retention=48h",
                                        "idem.gateway.routes[0].max-request-body=1KB",
                                        "idem.gateway.routes[1].key-required=false",
                                        "idem.gateway.routes[2].tenant.name=webhooks"))
                        .flatMap(part -> part),
                Aliases.class);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void aBodyThatTheSchemaDoesNotKnowTakesNoKeyAndIsNotPublished() {
        broker.drain(Broker.PAYMENTS);
        String key = Intake.newKey();

        Intake.Answer refused = intake.post(
                STRICT, Intake.NORTH, key, "{\"account\":\"s3cret\",\"amount\":0,\"lines\":[{\"text\":7}]}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.header("Link")).contains("#body-schema-violated");
        assertThat(refused.body())
                .contains("urn:idem:problem:body-schema-violated", "\"retryWithSameKey\":false")
                .contains("\"pointer\":\"/account\"", "\"pointer\":\"/amount\"", "\"pointer\":\"/lines/0/text\"")
                .doesNotContain("s3cret");
        assertThat(intake.operation(Intake.NORTH, key).status()).isEqualTo(404);
        assertThat(broker.next(Broker.PAYMENTS)).isNull();
        assertThat(intake.post(STRICT, key).status()).isEqualTo(202);
    }

    @Test
    void aRouteTellsItsOwnRetentionAndAsksForItsOwnKeys() {
        Intake.Answer taken = intake.post(STRICT, Intake.newKey());

        assertThat(taken.header("Idempotency-Retention")).isEqualTo("172800");
        assertThat(intake.post(STRICT, "not-a-uuid").body()).contains("urn:idem:problem:key-malformed");
        assertThat(intake.post(KEYLESS, "not-a-uuid").status()).isEqualTo(202);
    }

    @Test
    void aRouteHasALimitOfItsOwnForBodies() {
        String large = "{\"account\":\"" + "x".repeat(2_000) + "\"}";

        assertThat(intake.post(STRICT, Intake.NORTH, Intake.newKey(), large).status())
                .isEqualTo(413);
        assertThat(intake.post(KEYLESS, Intake.NORTH, Intake.newKey(), large).status())
                .isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/filter", "/handler", "/handler/later", "/dispatched", "/failing"})
    void aRequestWithoutKeyHasOneBehindAForward(String from) {
        broker.drain(Broker.PAYMENTS);

        Intake.Answer taken = intake.send(intake.request(from + KEYLESS)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(taken.status()).isEqualTo(202);
        assertThat(taken.response().headers().allValues("Idempotency-Key")).hasSize(1);
        assertThat(message().getMessageProperties().getHeaders())
                .extractingByKey(IdempotencyHeaders.KEY)
                .hasToString(taken.header("Idempotency-Key"));
        assertThat(intake.operation(Intake.NORTH, taken.header("Idempotency-Key"))
                        .body())
                .contains("\"state\":\"COMPLETED\"");
    }

    @Test
    void aRequestWithoutKeyIsPublishedUnderAKeyThatItsClientLearns() {
        broker.drain(Broker.PAYMENTS);

        Intake.Answer taken = withoutKey();

        String key = taken.header("Idempotency-Key");
        assertThat(taken.status()).isEqualTo(202);
        assertThat(UUID.fromString(key)).hasToString(key);
        Message message = message();
        assertThat(message.getMessageProperties().getMessageId()).isEqualTo(new IdempotencyKey("north", key).id());
        assertThat(message.getMessageProperties().getHeaders())
                .extractingByKey(IdempotencyHeaders.KEY)
                .hasToString(key);
        assertThat(intake.operation(Intake.NORTH, key).body()).contains("\"state\":\"COMPLETED\"");
        assertThat(intake.post(KEYLESS, key).replayed()).isTrue();
    }

    @Test
    void twoRequestsWithoutKeyAreTwoOperations() {
        assertThat(withoutKey().header("Idempotency-Key"))
                .isNotEqualTo(withoutKey().header("Idempotency-Key"));
    }

    @Test
    void aKeyThatIsSentIsKeptWhereNoneIsRequired() {
        String key = Intake.newKey();

        Intake.Answer first = intake.post(KEYLESS, key);

        assertThat(first.header("Idempotency-Key")).isEmpty();
        assertThat(intake.post(KEYLESS, key).replayed()).isTrue();
    }

    @Test
    void anEmptyKeyIsNoMissingKey() {
        Intake.Answer refused = intake.send(intake.request(KEYLESS)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Idempotency-Key", "")
                .POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(refused.body()).contains("urn:idem:problem:key-malformed");
    }

    @Test
    void aRouteMayKnowItsTenantByItself() {
        broker.drain(Broker.PAYMENTS);
        String key = Intake.newKey();

        Intake.Answer taken = anonymous(key);

        assertThat(taken.status()).isEqualTo(202);
        assertThat(message().getMessageProperties().getHeaders())
                .extractingByKey(IdempotencyHeaders.TENANT)
                .hasToString("webhooks");
        assertThat(anonymous(key).replayed()).isTrue();
        assertThat(intake.operation(Intake.NORTH, key).status()).isEqualTo(404);
    }

    private Intake.Answer anonymous(String key) {
        return intake.send(intake.request("/webhooks/shop")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(Intake.BODY)));
    }

    private Intake.Answer withoutKey() {
        return intake.send(intake.request(KEYLESS)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .POST(BodyPublishers.ofString(Intake.BODY)));
    }

    private Message message() {
        return Objects.requireNonNull(broker.next(Broker.PAYMENTS), "no message");
    }
}
