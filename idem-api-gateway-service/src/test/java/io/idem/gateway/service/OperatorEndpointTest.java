package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operators' endpoint over HTTP. */
@Tag("servers")
class OperatorEndpointTest {

    private static final String OPERATOR = "operators-key-of-a-test";
    private static final RecordId RECORD = new RecordId(new IdempotencyKey("north", "k-1"), new Scope("payments"));
    private static final String RELEASE =
            "{\"action\":\"release\",\"tenant\":\"north\",\"key\":\"k-1\",\"scope\":\"payments\",\"reason\":\"ticket 7\"}";

    private static final String REDRIVE =
            "{\"action\":\"redrive\",\"tenant\":\"north\",\"key\":\"k-1\",\"scope\":\"payments\",\"reason\":\"ticket 7\","
                    + "\"from\":\"FROM\",\"transport\":\"rabbit\",\"limit\":50}";

    @Test
    void itReadsByDefaultAndWritesNothing() {
        try (Intake intake = start()) {
            IdempotencyStore store = acquired(intake);

            Intake.Answer shown = get(intake, "?key=k-1&tenant=north");
            assertThat(shown.status()).isEqualTo(200);
            assertThat(shown.body()).contains("\"scope\":\"payments\"", "\"state\":\"pending\"");
            assertThat(get(intake, "").body()).contains("\"takeovers\":[]");
            assertThat(get(intake, "/pending"))
                    .satisfies(refused -> assertThat(refused.status()).isEqualTo(400))
                    .satisfies(refused ->
                            assertThat(refused.body()).contains("\"why\":\"The records of this store cannot"));
            assertThat(get(intake, "/pending?limit=many").body()).contains("\"why\":\"limit");
            assertThat(post(intake, RELEASE).status()).isEqualTo(405);
            assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        }
    }

    @Test
    void itWritesWhereThatIsAllowed() {
        try (Intake intake = start("management.endpoint.idempotency.access=unrestricted")) {
            IdempotencyStore store = acquired(intake);

            assertThat(post(intake, RELEASE.replace("ticket 7", " ")))
                    .satisfies(refused -> assertThat(refused.status()).isEqualTo(400))
                    .satisfies(refused -> assertThat(refused.body()).contains("Give a reason"));
            assertThat(post(intake, RELEASE.replace("reason", "reasons")).body())
                    .contains("reason is missing");
            assertThat(post(intake, RELEASE).body())
                    .isEqualTo(
                            "{\"action\":\"release\",\"found\":\"pending\",\"done\":true,\"why\":null,\"search\":null}");
            assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.FAILED);
        }
    }

    @Test
    void aDeadLetterIsRedrivenOverHttp() {
        try (Broker broker = new Broker();
                Intake intake = start(Stream.concat(
                        broker.settings(), Stream.of("management.endpoint.idempotency.access=unrestricted")))) {
            broker.bind(Broker.PAYMENTS);
            broker.bind("dead");
            IdempotencyStore store = acquired(intake);
            store.force(RECORD, store.inspect(RECORD).orElseThrow().fence(), ForcedEnd.FAILED, Duration.ofHours(1));
            broker.put("dead", "others", Map.of(IdempotencyHeaders.KEY, "k-2"));
            broker.put(
                    "dead",
                    "ours",
                    Map.of(
                            IdempotencyHeaders.KEY, "k-1",
                            IdempotencyHeaders.TENANT, "north",
                            IdempotencyHeaders.ORIGIN, broker.queue(Broker.PAYMENTS)));

            assertThat(post(intake, REDRIVE.replace("FROM", broker.queue("nowhere")))
                            .status())
                    .isEqualTo(400);
            assertThat(post(intake, REDRIVE.replace("FROM", broker.queue("dead")))
                            .body())
                    .isEqualTo(
                            "{\"action\":\"redrive\",\"found\":\"failed\",\"done\":true,\"why\":null,\"search\":{\"examined\":2,"
                                    + "\"letter\":\"moved\",\"to\":\"" + broker.queue(Broker.PAYMENTS)
                                    + "\",\"more\":false}}");
            assertThat(Objects.requireNonNull(broker.next(Broker.PAYMENTS)).getBody())
                    .asString()
                    .isEqualTo("ours");
            assertThat(Objects.requireNonNull(broker.next("dead")).getBody())
                    .asString()
                    .isEqualTo("others");
            assertThat(broker.next("dead")).isNull();
            broker.delete("dead");
        }
    }

    @Test
    void noTenantCompletesTheOperationOfAnother() {
        try (Intake intake = start("management.endpoint.idempotency.access=unrestricted")) {
            IdempotencyStore store = acquired(intake);

            Intake.Answer refused = intake.send(intake.request("/actuator/idempotency")
                    .header("Authorization", "Bearer " + Intake.SOUTH)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(RELEASE.replace("release", "complete"))));

            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).contains("urn:idem:problem:access-denied");
            assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        }
    }

    @Test
    void tenantsSeeHealthAndNoOtherEndpoint() {
        try (Intake intake = start("management.endpoints.web.exposure.include=*")) {
            assertThat(intake.get("/actuator/health/liveness", Intake.NORTH).status())
                    .isEqualTo(200);
            for (String path : List.of(
                    "/actuator",
                    "/actuator/",
                    "/actuator/env",
                    "/actuator/heapdump",
                    "/actuator/metrics/jvm.memory.used",
                    "/actuator/prometheus",
                    "/actuator/idempotency/pending",
                    "/actuator/%69dempotency?key=k-1&tenant=north")) {
                assertThat(intake.get(path, Intake.NORTH).status()).as(path).isEqualTo(403);
                assertThat(intake.send(intake.request(path)).status()).as(path).isEqualTo(401);
            }
            assertThat(intake.get("/actuator/env", OPERATOR).status()).isEqualTo(200);
            assertThat(intake.get("/v1/operations/any", OPERATOR).status())
                    .as("an operator is a tenant like others")
                    .isEqualTo(404);
        }
    }

    @Test
    void endpointsThatStandAtTheRootNeedAnOperatorToo() {
        try (Intake intake = start(
                "management.endpoints.web.base-path=/", "management.endpoints.web.path-mapping.idempotency=records")) {
            assertThat(intake.get("/records?key=k-1&tenant=north", Intake.SOUTH).status())
                    .isEqualTo(403);
            assertThat(intake.get("/records?key=k-1&tenant=north", OPERATOR).status())
                    .isEqualTo(200);
        }
    }

    private static IdempotencyStore acquired(Intake intake) {
        IdempotencyStore store = intake.bean(IdempotencyStore.class);
        ExecutionPolicy policy = ExecutionPolicy.defaults();
        store.announce(RECORD.scope());
        var unused = store.acquire(new AcquireRequest(
                RECORD,
                OwnerToken.random(new SecureRandom()),
                policy.lease(),
                policy.retention(),
                Fingerprint.NONE,
                0,
                0));
        return store;
    }

    private static Intake start(String... settings) {
        return start(Stream.of(settings));
    }

    private static Intake start(Stream<String> settings) {
        return Intake.startWithKeys(Stream.concat(
                Stream.of(
                        "management.endpoints.web.exposure.include=health,idempotency",
                        "idem.scopes.payments.retention=24h",
                        "idem.gateway.operators=ops",
                        "idem.gateway.api-keys[2].tenant=ops",
                        "idem.gateway.api-keys[2].key=" + OPERATOR,
                        "idem.gateway.routes[0].path=/v1/payments",
                        "idem.gateway.routes[0].exchange=nobody-publishes",
                        "idem.gateway.routes[0].routing-key=here"),
                settings));
    }

    private static Intake.Answer get(Intake intake, String what) {
        return intake.send(
                intake.request("/actuator/idempotency" + what).header("Authorization", "Bearer " + OPERATOR));
    }

    private static Intake.Answer post(Intake intake, String body) {
        return intake.send(intake.request("/actuator/idempotency")
                .header("Authorization", "Bearer " + OPERATOR)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }
}
