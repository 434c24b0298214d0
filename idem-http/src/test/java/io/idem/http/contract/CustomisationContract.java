package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.ErrorBody;
import io.idem.http.IncomingRequest;
import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/**
 * What an application may choose otherwise: names of headers, error envelope, which answers are stored, key rules. It is served below
 * {@code /shop}, with the settings of {@code customised.yml}.
 */
public abstract class CustomisationContract {

    public static final String SETTINGS = "spring.config.import=classpath:customised.yml";

    private final Client client;
    private final String key = Client.newKey();

    protected CustomisationContract(App app) {
        this.client = app.client();
    }

    @Test
    void theNamesOfTheHeadersAreSettings() {
        post("/shop/orders", key);
        Answer second = post("/shop/orders", key);

        assertThat(second.header("X-Idempotency-Status")).isEqualTo("true");
        assertThat(second.header("Idempotency-Replayed")).isEmpty();
        assertThat(second.header("X-Flavour")).isEmpty();
    }

    @Test
    void theErrorEnvelopeIsABeanAndTheRestOfARefusalStays() {
        Answer answer = post("/shop/orders", "not-a-uuid");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"urn:idem:problem:key-malformed\"");
        assertThat(answer.header("Link"))
                .isEqualTo("<https://docs.example.com/problems#key-malformed>; rel=\"describedby\"");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void aRouteMayStoreEveryAnswer() {
        assertStored("500");
    }

    @Test
    void aRouteMayStoreWhatIsBelow500() {
        assertStored("409");
        assertFreed("503");
    }

    @Test
    void aRouteMayStoreSuccessesOnly() {
        assertFreed("422");
    }

    @Test
    void aRouteMayInsistOnKeysOfALength() {
        assertThat(post("/shop/orders/optional", "k".repeat(19)).status()).isEqualTo(400);
        assertThat(post("/shop/orders/optional", "k".repeat(41)).status()).isEqualTo(400);
        assertThat(post("/shop/orders/optional", key.replace("-", "")).status()).isEqualTo(200);
    }

    private void assertStored(String status) {
        post("/shop/orders/status/" + status, key);

        assertThat(post("/shop/orders/status/" + status, key).header("X-Idempotency-Status"))
                .isEqualTo("true");
    }

    private void assertFreed(String status) {
        String ofItsOwn = Client.newKey();
        post("/shop/orders/status/" + status, ofItsOwn);

        assertThat(post("/shop/orders/status/" + status, ofItsOwn).body()).isEqualTo("run 2");
    }

    private Answer post(String path, String withKey) {
        return client.send(client.request(path)
                .header("X-Request-Key", withKey)
                .header(Client.KEY, withKey)
                .POST(BodyPublishers.ofString("{}")));
    }

    /** The envelope that some clients know only. */
    protected static ErrorBody ownEnvelope() {
        return new ErrorBody() {
            @Override
            public MediaType mediaType() {
                return MediaType.APPLICATION_JSON;
            }

            @Override
            public byte[] render(ProblemDetail problem, IncomingRequest request) {
                return ("{\"error\":{\"code\":\"" + problem.getType() + "\"}}").getBytes(StandardCharsets.UTF_8);
            }
        };
    }
}
