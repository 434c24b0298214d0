package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.RawConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Bytes that no well-behaved client sends, from another tenant than the one whose key they carry: none yields a server error other than
 * 503, none is told the other tenant's answer, none spoils a record.
 */
@AppTest(
        value = Shop.class,
        settings = {
            "idem.http.tenant=API_KEY",
            "idem.http.tenant-from.header=X-API-Key",
            "idem.http.tenant-from.api-keys[0].tenant=acme",
            "idem.http.tenant-from.api-keys[0].sha256=" + ApiKeyTenantTest.ACME,
            "idem.http.tenant-from.api-keys[1].tenant=umbrella",
            "idem.http.tenant-from.api-keys[1].sha256=" + ApiKeyTenantTest.UMBRELLA,
            "idem.http.max-request-body=2KB",
            "idem.http.routes[0].path=/orders/**",
            // Spring's filter for PATCH forms answers malformed ones with 500 before they reach idem's.
            "spring.mvc.formcontent.filter.enabled=false"
        })
class HostileTenantTest {

    private final App app;
    private final Client client;
    private final String key = Client.newKey();

    HostileTenantTest(App shop) {
        this.app = shop;
        this.client = shop.client();
    }

    @Test
    void malformedKeysHeadersAndBodiesYieldNoServerErrorAndSpoilNothing(TestReporter reporter) throws IOException {
        attack(2_000, reporter);
    }

    @Test
    @Tag("extended")
    void tenThousandMalformedRequestsYieldNoServerErrorAndSpoilNothing(TestReporter reporter) throws IOException {
        attack(10_000, reporter);
    }

    private void attack(int requests, TestReporter reporter) throws IOException {
        long seed = System.nanoTime();
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        HostileRequest hostile = new HostileRequest(random, key);
        Answer acmes = as("key-of-acme");
        for (int i = 0; i < requests; i++) {
            byte[] request = hostile.next();
            String answer = answerTo(request);
            assertThat(answer)
                    .as("seed %d, request %d: %s", seed, i, new String(request, StandardCharsets.ISO_8859_1))
                    .doesNotContain(acmes.body())
                    .doesNotMatch("(?s)HTTP/1.1 5(?!03).*");
        }
        assertThat(as("key-of-acme").bytes()).as("seed %d", seed).isEqualTo(acmes.bytes());
        assertThat(as("key-of-umbrella").body()).as("seed %d", seed).isNotEqualTo(acmes.body());
    }

    private Answer as(String apiKey) {
        return client.post("/orders", key, request -> request.header("X-API-Key", apiKey));
    }

    private String answerTo(byte[] request) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(request);
            return connection.answer();
        }
    }
}
