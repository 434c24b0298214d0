package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.spi.AcquireRequest;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordId;
import io.idem.spi.RecordState;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The operators' endpoint over HTTP. */
class OperatorEndpointTest {

    private static final RecordId RECORD = new RecordId(new IdempotencyKey("north", "k-1"), new Scope("payments"));
    private static final String RELEASE =
            "{\"action\":\"release\",\"tenant\":\"north\",\"key\":\"k-1\",\"scope\":\"payments\",\"reason\":\"ticket 7\"}";

    @Test
    void itReadsByDefaultAndWritesNothing() {
        try (Intake intake = start()) {
            IdempotencyStore store = acquired(intake);

            Intake.Answer shown = get(intake, "?key=k-1&tenant=north");
            assertThat(shown.status()).isEqualTo(200);
            assertThat(shown.body()).contains("\"scope\":\"payments\"", "\"state\":\"pending\"");
            assertThat(get(intake, "").body()).contains("\"takeovers\":[]");
            assertThat(get(intake, "/pending").status()).isEqualTo(400);
            assertThat(post(intake, RELEASE).status()).isEqualTo(405);
            assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.PENDING);
        }
    }

    @Test
    void itWritesWhereThatIsAllowed() {
        try (Intake intake = start("management.endpoint.idempotency.access=unrestricted")) {
            IdempotencyStore store = acquired(intake);

            assertThat(post(intake, RELEASE.replace("ticket 7", " ")).status()).isEqualTo(400);
            assertThat(post(intake, RELEASE).body())
                    .isEqualTo("{\"action\":\"release\",\"found\":\"pending\",\"done\":true}");
            assertThat(store.inspect(RECORD).orElseThrow().state()).isEqualTo(RecordState.FAILED);
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
        return Intake.startWithKeys(Stream.concat(
                Stream.of(
                        "management.endpoints.web.exposure.include=health,idempotency",
                        "idem.gateway.routes[0].path=/v1/payments",
                        "idem.gateway.routes[0].exchange=nobody-publishes",
                        "idem.gateway.routes[0].routing-key=here"),
                Stream.of(settings)));
    }

    private static Intake.Answer get(Intake intake, String what) {
        return intake.send(
                intake.request("/actuator/idempotency" + what).header("Authorization", "Bearer " + Intake.NORTH));
    }

    private static Intake.Answer post(Intake intake, String body) {
        return intake.send(intake.request("/actuator/idempotency")
                .header("Authorization", "Bearer " + Intake.NORTH)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }
}
