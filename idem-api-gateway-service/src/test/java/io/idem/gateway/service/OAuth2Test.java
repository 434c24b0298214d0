package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.idem.consumer.IdempotencyHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;

/** H-09: an intake whose callers have tokens of an authorization server; a claim names the tenant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class OAuth2Test {

    private static final String PATH = "/v1/payments";
    private static final String REFUNDS = "/v1/refunds";

    private final TokenIssuer issuer = new TokenIssuer();
    private final Broker broker = new Broker();
    private final String north = issuer.token("ann", "north");
    private Intake intake;

    @BeforeAll
    void start(@TempDir Path directory) {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.start(
                Stream.of(
                                broker.settings(),
                                broker.route(0, PATH, Broker.PAYMENTS),
                                broker.route(1, REFUNDS, Broker.PAYMENTS),
                                broker.route(2, "/v1/kinds/{kind}", Broker.PAYMENTS),
                                broker.route(3, "/v1/kinds/refund", Broker.PAYMENTS),
                                Stream.of(
                                        "idem.gateway.routes[2].required-scope=kinds:write",
                                        "idem.gateway.routes[3].required-scope=refunds:write",
                                        "idem.gateway.routes[1].required-scope=refunds:write",
                                        "idem.gateway.authentication=oauth2",
                                        "idem.gateway.open-paths=/idem/**,/open/**",
                                        "idem.http.tenant=JWT_CLAIM",
                                        "idem.http.tenant-from.claim=org",
                                        "spring.security.oauth2.resourceserver.jwt.audiences=" + TokenIssuer.AUDIENCE,
                                        "spring.security.oauth2.resourceserver.jwt.public-key-location=file:"
                                                + issuer.publicKey(directory)))
                        .flatMap(part -> part),
                Aliases.class);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void theClaimOfTheTokenIsTheTenantOfTheMessage() {
        broker.drain(Broker.PAYMENTS);

        Intake.Answer answer = post(PATH, north, Intake.newKey());

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.response().headers().map()).doesNotContainKey("set-cookie");
        Message message = Objects.requireNonNull(broker.next(Broker.PAYMENTS), "no message");
        assertThat(message.getMessageProperties().getHeaders()).containsEntry(IdempotencyHeaders.TENANT, "north");
    }

    @Test
    void oneTenantIsNeverAnsweredWithTheAnswerOfAnother() {
        String key = Intake.newKey();
        String south = issuer.token("ann", "south");

        Intake.Answer norths = post(PATH, north, key);
        Intake.Answer souths = post(PATH, south, key);

        assertThat(souths.status()).isEqualTo(202);
        assertThat(souths.replayed()).isFalse();
        assertThat(souths.body()).isNotEqualTo(norths.body());
        assertThat(post(PATH, issuer.token("bob", "north"), key).response().body())
                .isEqualTo(norths.response().body());
        assertThat(intake.operation(issuer.token("eve", "east"), key).status()).isEqualTo(404);
    }

    List<Arguments> worthless() {
        Date past = Date.from(Instant.now().minus(Duration.ofHours(1)));
        JWTClaimsSet claims =
                new JWTClaimsSet.Builder().subject("ann").claim("org", "north").build();
        return List.of(
                Arguments.of("expired", issuer.token("ann", set -> org(set).expirationTime(past))),
                Arguments.of("another issuer's", new TokenIssuer().token("ann", "north")),
                Arguments.of("for another audience", issuer.token("ann", set -> org(set).audience("elsewhere"))),
                Arguments.of("unsigned", new PlainJWT(claims).serialize()),
                Arguments.of("cut", north.substring(0, north.length() - 4)),
                Arguments.of("no token at all", "north"));
    }

    private static JWTClaimsSet.Builder org(JWTClaimsSet.Builder claims) {
        return claims.claim("org", "north");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worthless")
    void aTokenThatProvesNothingIsRefusedBeforeTheKeyIsTaken(String what, String token) {
        String key = Intake.newKey();

        Intake.Answer refused = post(PATH, token, key);

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate"))
                .startsWith("Bearer realm=\"idem\"")
                .contains("error=\"invalid_token\"");
        assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(refused.body()).contains("urn:idem:problem:unauthenticated");
        assertThat(intake.operation(north, key).status()).isEqualTo(404);
    }

    @Test
    void aTokenThatProvesNothingIsNotAnsweredWithWhatAnotherWasAnswered() {
        String key = Intake.newKey();
        post(PATH, north, key);

        assertThat(post(PATH, new TokenIssuer().token("ann", "north"), key).status())
                .isEqualTo(401);
    }

    @Test
    void aCallerWithoutTokenIsAskedForOne() {
        Intake.Answer refused = intake.send(intake.request(PATH)
                .header("Idempotency-Key", Intake.newKey())
                .POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate"))
                .startsWith("Bearer realm=\"idem\"")
                .doesNotContain("error");
        assertThat(intake.send(intake.request("/v1/operations/any")).status()).isEqualTo(401);
        assertThat(intake.send(intake.request("/nowhere")).status()).isEqualTo(401);
    }

    @Test
    void aTokenWithoutTheClaimHasNoTenant() {
        Intake.Answer refused = post(PATH, issuer.token("ann"), Intake.newKey());

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("urn:idem:problem:tenant-unknown");
    }

    @Test
    void aRouteIsForTokensWithItsScope() {
        String key = Intake.newKey();

        Intake.Answer refused = post(REFUNDS, north, key);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.header("WWW-Authenticate")).contains("error=\"insufficient_scope\"");
        assertThat(refused.body()).contains("urn:idem:problem:access-denied", "\"retryWithSameKey\":true");
        assertThat(intake.operation(north, key).status()).isEqualTo(404);

        String entitled = issuer.token("ann", set -> org(set).claim("scope", "read refunds:write"));
        assertThat(post(REFUNDS, entitled, key).status()).isEqualTo(202);
    }

    @Test
    void ofOverlappingRoutesTheMostSpecificOnesScopeIsAskedFor() {
        String kinds = issuer.token("ann", set -> org(set).claim("scope", "kinds:write"));
        String refunds = issuer.token("ann", set -> org(set).claim("scope", "refunds:write"));

        assertThat(post("/v1/kinds/refund", kinds, Intake.newKey()).status()).isEqualTo(403);
        assertThat(post("/v1/kinds/refund", refunds, Intake.newKey()).status()).isEqualTo(202);
        assertThat(post("/v1/kinds/other", kinds, Intake.newKey()).status()).isEqualTo(202);
    }

    /** By a filter, by a handler, by an exception handler, and by a dispatch. */
    @ParameterizedTest
    @ValueSource(strings = {"/filter", "/handler", "/handler/later", "/dispatched", "/failing", "/open"})
    void aRouteThatIsReachedByAForwardIsForTokensWithItsScope(String from) {
        String key = Intake.newKey();

        Intake.Answer refused = post(from + REFUNDS, north, key);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("urn:idem:problem:access-denied");
        assertThat(intake.operation(north, key).status()).isEqualTo(404);
        String entitled = issuer.token("ann", set -> org(set).claim("scope", "refunds:write"));
        assertThat(post(from + REFUNDS, entitled, key).status()).isEqualTo(202);
        assertThat(post(from + REFUNDS, entitled, key).replayed()).isTrue();
        assertThat(post(from + PATH, north, Intake.newKey()).status()).isEqualTo(202);
    }

    @Test
    void aRouteBehindAnOpenPathAsksForAToken() {
        Intake.Answer refused = intake.send(intake.request("/open" + REFUNDS)
                .header("Idempotency-Key", Intake.newKey())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Intake.BODY)));

        assertThat(refused.status()).isEqualTo(401);
    }

    @Test
    void openPathsNeedNoToken() {
        assertThat(intake.send(intake.request("/idem/problems.html")).status()).isEqualTo(200);
    }

    private Intake.Answer post(String path, String token, String key) {
        return intake.post(path, token, key, Intake.BODY);
    }
}
