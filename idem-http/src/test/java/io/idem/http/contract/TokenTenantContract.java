package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/** H-09, H-13: behind the chain of Spring Security's resource server, the tenant is a claim of the verified token. */
@ExtendWith(OutputCaptureExtension.class)
public abstract class TokenTenantContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected TokenTenantContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void oneTenantIsNeverAnsweredWithTheAnswerOfAnother() {
        Answer acmes = as("ann.acme");
        Answer umbrellas = as("ann.umbrella");

        assertThat(umbrellas.replayed()).isFalse();
        assertThat(umbrellas.body()).isNotEqualTo(acmes.body());
        assertThat(as("ann.acme").bytes()).isEqualTo(acmes.bytes());
        assertThat(as("ann.umbrella").bytes()).isEqualTo(umbrellas.bytes());
    }

    @Test
    void usersOfOneTenantShareItsAnswers() {
        Answer anns = as("ann.acme");

        assertThat(as("bob.acme").bytes()).isEqualTo(anns.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aTokenWithoutTheClaimHasNoTenant(CapturedOutput output) {
        Answer answer = as("ann.");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("urn:idem:problem:tenant-unknown");
        assertThat(runs.of(key)).isZero();
        assertThat(output)
                .contains("its caller is known by a " + JwtAuthenticationToken.class.getName())
                .doesNotContain("authenticate the route");
    }

    @Test
    void aTokenThatIsNotVerifiedGetsNoAnswer() {
        as("ann.acme");

        assertThat(as("forged").status()).isEqualTo(401);
        assertThat(client.post("/orders", key).status()).isEqualTo(401);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    private Answer as(String token) {
        return client.post("/orders", key, request -> request.header("Authorization", "Bearer " + token));
    }

    /** Tokens are {@code user.tenant}; every other is forged. */
    protected static Jwt decoded(String token) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            throw new BadJwtException("forged");
        }
        return Jwt.withTokenValue(token)
                .header("alg", "RS256")
                .subject(token.substring(0, dot))
                .issuedAt(Instant.EPOCH)
                .claim("org", token.substring(dot + 1))
                .build();
    }
}
