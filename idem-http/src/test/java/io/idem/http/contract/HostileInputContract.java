package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.http.contract.Client.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Bytes that no well-behaved client sends, from another tenant than the one whose key they carry: none yields a server error other than
 * 503, none is told the other tenant's answer, none spoils a record, none leaves a key in progress. The tenants are those of
 * {@link ApiKeys}.
 */
public abstract class HostileInputContract {

    private final App app;
    private final Client client;
    private final FaultyStore store;
    private final String key = Client.newKey();

    protected HostileInputContract(App shop) {
        this.app = shop;
        this.client = shop.client();
        this.store = shop.bean(FaultyStore.class);
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
        HostileRequest hostile = new HostileRequest(new Random(seed), key);
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
        await().untilAsserted(() ->
                assertThat(store.asked()).as("seed %d", seed).isNotEmpty().noneMatch(this::inProgress));
    }

    private boolean inProgress(IdempotencyKey asked) {
        return store.inspect(new RecordId(asked, new Scope("http.shop")))
                .filter(record -> record.state() == RecordState.PENDING)
                .isPresent();
    }

    private Answer as(String apiKey) {
        return client.post("/orders", key, request -> request.header(ApiKeys.HEADER, apiKey));
    }

    private String answerTo(byte[] request) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(request);
            return connection.answer();
        }
    }
}
