package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** H-09, H-13: the filter runs behind Spring Security, and whose key it is comes from there. */
public abstract class SecurityContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected SecurityContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void onePrincipalIsNeverAnsweredWithTheAnswerOfAnother() {
        Answer alices = as("alice", key);
        Answer bobs = as("bob", key);

        assertThat(bobs.replayed()).isFalse();
        assertThat(bobs.body()).isNotEqualTo(alices.body());
        assertThat(as("alice", key).bytes()).isEqualTo(alices.bytes());
        assertThat(as("bob", key).bytes()).isEqualTo(bobs.bytes());
    }

    @Test
    void aRequestThatIsNotAuthenticatedIsNeitherRunNorReplayed() {
        as("alice", key);

        Answer anonymous = client.post("/orders", key);

        assertThat(anonymous.status()).isEqualTo(401);
        assertThat(anonymous.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void whereAnonymousRequestsAreLetThroughTheirTenantIsUnknown() {
        Answer anonymous = client.post("/annotated/not", key);

        assertThat(anonymous.status()).isEqualTo(403);
        assertThat(anonymous.body()).contains("urn:idem:problem:tenant-unknown");
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void thePageThatExplainsProblemsIsReadByEverybodyWhereItIsPermitted() {
        assertThat(client.send(client.request("/idem/problems.html").GET()).body())
                .contains("id=\"tenant-unknown\"");
        assertThat(client.send(client.request("/idem/other.html").GET()).status())
                .isEqualTo(401);
    }

    @Test
    void aClientCannotSayWhoseKeyItIs() {
        Answer alices = as("alice", key);

        Answer answer = client.post(
                "/orders",
                key,
                request -> request.header("Authorization", basic("bob"))
                        .header("x-idempotency-tenant", "alice")
                        .header("X-Forwarded-User", "alice"));

        assertThat(answer.replayed()).isFalse();
        assertThat(answer.body()).isNotEqualTo(alices.body());
    }

    private Answer as(String user, String withKey) {
        return client.post("/orders", withKey, request -> request.header("Authorization", basic(user)));
    }

    protected static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.US_ASCII));
    }
}
