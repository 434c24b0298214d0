package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What callers may ask, and who they must be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationsEndpointTest {

    private static final String PATH = "/v1/payments";

    private final Broker broker = new Broker();
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(Stream.concat(broker.settings(), broker.route(0, PATH, Broker.PAYMENTS)));
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void theTenantSeesItsOperation() {
        String key = Intake.newKey();
        Intake.Answer taken = intake.post(PATH, key);

        Intake.Answer status = intake.operation(Intake.NORTH, key);

        assertThat(status.status()).isEqualTo(200);
        assertThat(status.header("Cache-Control")).isEqualTo("no-store");
        assertThat(status.body())
                .contains("\"key\":\"" + key + "\"", "\"scope\":\"http.intake\"", "\"state\":\"COMPLETED\"")
                .contains("\"attempts\":1", "\"at\":\"");
        assertThat(taken.header("Location")).isEqualTo("/v1/operations/" + key);
    }

    @Test
    void anotherTenantSeesNothingOfIt() {
        String key = Intake.newKey();
        intake.post(PATH, key);

        Intake.Answer status = intake.operation(Intake.SOUTH, key);

        assertThat(status.status()).isEqualTo(404);
        assertThat(status.body()).contains("urn:idem:problem:operation-unknown");
    }

    @Test
    void aMalformedKeyIsRefused() {
        assertThat(intake.operation(Intake.NORTH, "a%00b").status()).isEqualTo(400);
        assertThat(intake.operation(Intake.NORTH, "x".repeat(2000)).body()).contains("urn:idem:problem:key-malformed");
    }

    @Test
    void aCallerWithoutApiKeyIsRefusedBeforeItsKeyIsTaken() {
        String key = Intake.newKey();

        Intake.Answer refused = intake.send(
                intake.request(PATH).header("Idempotency-Key", key).POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"idem\"");
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(intake.operation(Intake.NORTH, key).status()).isEqualTo(404);
    }

    @Test
    void anUnknownApiKeyIsRefused() {
        Intake.Answer refused = intake.post(PATH, "nobody's", Intake.newKey(), Intake.BODY);

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate")).contains("error=\"invalid_token\"");
        assertThat(refused.body()).doesNotContain("nobody's");
        assertThat(intake.operation("nobody's", "any").status()).isEqualTo(401);
    }

    @Test
    void credentialsOfAnotherSchemeAreRefused() {
        assertThat(intake.send(intake.request(PATH).header("Authorization", "Basic " + Intake.NORTH))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void twoCredentialsAreRefused() {
        assertThat(intake.send(intake.request("/v1/operations/any")
                                .header("Authorization", "Bearer " + Intake.NORTH)
                                .header("Authorization", "Bearer " + Intake.SOUTH))
                        .status())
                .isEqualTo(401);
    }
}
