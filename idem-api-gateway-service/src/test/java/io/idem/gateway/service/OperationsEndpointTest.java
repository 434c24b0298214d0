package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What callers may ask, and who they must be. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
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
        assertThat(taken.header("Location")).isEqualTo("/v1/operations?key=" + key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b+c==",
                "/",
                "..",
                ".",
                "../v1/payments",
                "a\\b",
                "\"quoted\"",
                "a b",
                "a%2Fb",
                "100%",
                "a;b=c",
                "a?b#c&d",
                "{id}",
                "key=a",
                "x/",
                "//"
            })
    void theLocationOfEveryAcceptedKeyLeadsToItsOperation(String key) {
        String sent = "\"" + key.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        Intake.Answer taken = intake.post(PATH, sent);
        assertThat(taken.status()).isEqualTo(202);

        Intake.Answer status = intake.get(taken.header("Location"), Intake.NORTH);

        assertThat(status.status()).as(taken.header("Location")).isEqualTo(200);
        assertThat(JsonMapper.shared().readTree(status.body()).get("key").asString())
                .isEqualTo(key);
        assertThat(intake.get(taken.header("Location"), Intake.SOUTH).status()).isEqualTo(404);
    }

    @Test
    void aKeyInUpperCaseIsAskedForAsItWasSent() {
        String key = Intake.newKey().toUpperCase(Locale.ROOT);
        intake.post(PATH, key);

        for (String path : List.of("/v1/operations?key=", "/v1/operations/")) {
            Intake.Answer status = intake.get(path + key, Intake.NORTH);

            assertThat(status.status()).as(path).isEqualTo(200);
            assertThat(status.body()).contains("\"key\":\"" + key.toLowerCase(Locale.ROOT) + "\"");
        }
    }

    @Test
    void anAddressWithoutOneKeyIsRefused() {
        assertThat(intake.get("/v1/operations", Intake.NORTH).body()).contains("urn:idem:problem:key-missing");
        assertThat(intake.get("/v1/operations?key=", Intake.NORTH).body()).contains("urn:idem:problem:key-malformed");
        assertThat(intake.get("/v1/operations?key=a&key=b", Intake.NORTH).body())
                .contains("urn:idem:problem:key-malformed");
    }

    @Test
    void whereGetIsAnsweredHeadIsToo() {
        String key = Intake.newKey();
        intake.post(PATH, key);

        for (String path : List.of("/v1/operations/" + key, "/v1/operations?key=" + key, "/idem/openapi.json")) {
            Intake.Answer answer = intake.send(intake.request(path)
                    .header("Authorization", "Bearer " + Intake.NORTH)
                    .method("HEAD", BodyPublishers.noBody()));

            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.header("Content-Type")).as(path).isEqualTo("application/json");
            assertThat(answer.body()).as(path).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/payments, 'OPTIONS, POST'",
        "HEAD, /v1/payments, 'OPTIONS, POST'",
        "PUT, /v1/payments, 'OPTIONS, POST'",
        "DELETE, /v1/payments, 'OPTIONS, POST'",
        "POST, /v1/operations/any, 'GET, HEAD, OPTIONS'",
        "POST, /v1/operations, 'GET, HEAD, OPTIONS'",
        "DELETE, /idem/openapi.json, 'GET, HEAD, OPTIONS'"
    })
    void anotherMethodIsToldWhichOnesThereAre(String method, String path, String allowed) {
        Intake.Answer answer = intake.send(intake.request(path)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .method(method, BodyPublishers.noBody()));

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo(allowed);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void optionsTellTheMethods() {
        Intake.Answer answer = intake.send(intake.request(PATH)
                .header("Authorization", "Bearer " + Intake.NORTH)
                .method("OPTIONS", BodyPublishers.noBody()));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Allow")).isEqualTo("OPTIONS, POST");
        assertThat(intake.get("/v1/unknown", Intake.NORTH).status()).isEqualTo(404);
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
