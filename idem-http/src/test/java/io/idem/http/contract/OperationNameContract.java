package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.Header;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.Client.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes two requests with one key one operation, or two. The tenant has host, an organisation header and a cookie as parts. */
public abstract class OperationNameContract {

    public static final String SETTINGS = "spring.config.import=classpath:operations.yml";

    private final App app;
    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    protected OperationNameContract(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
    }

    @Test
    void twoHostsAreTwoTenantsWhateverPortAndCase() throws IOException {
        String acme = atHost("acme.example");

        assertThat(atHost("beta.example")).contains("run 2").doesNotContain(Client.REPLAYED);
        assertThat(acme).contains("run 1");
        assertThat(Stream.of("ACME.example", "acme.example:8443", "Acme.Example:80"))
                .allSatisfy(same -> assertThat(atHost(same)).contains("run 1", Client.REPLAYED));
    }

    private String atHost(String host) throws IOException {
        try (RawConnection connection = new RawConnection(app)) {
            connection.send("POST /operations/plain HTTP/1.1\r\nHost: " + host
                    + "\r\nConnection: close\r\nContent-Length: 0\r\n" + Client.KEY + ": " + key + "\r\n\r\n");
            return connection.answer();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Org", "Cookie"})
    void anOrganisationIsATenantOfItsOwn(String header) {
        String prefix = header.equals("Cookie") ? "a=b; org=" : "";

        assertThat(plain(header, prefix + "acme").body()).isEqualTo("run 1");
        assertThat(plain(header, prefix + "beta").body()).isEqualTo("run 2");
        assertThat(plain(header, prefix + "acme").replayed()).isTrue();
    }

    @Test
    void aRequestWithoutTheOrganisationIsThatOfNoOrganisation() {
        assertThat(client.post("/operations/plain", key).body()).isEqualTo("run 1");
        assertThat(plain("X-Org", "").body()).isEqualTo("run 2");
        assertThat(client.post("/operations/plain", key).replayed()).isTrue();
    }

    @Test
    void noValueLooksLikeTwoParts() {
        Answer both = client.post(
                "/operations/plain",
                key,
                request -> request.header("X-Org", "a").header("Cookie", "org=b"));

        assertThat(both.body()).isEqualTo("run 1");
        assertThat(Stream.of("a|cookie:org=b", "a%7Ccookie:org=b", "a|host=x")
                        .map(forged -> plain("X-Org", forged).replayed()))
                .containsOnly(false);
    }

    private Answer plain(String header, String value) {
        return client.post("/operations/plain", key, request -> request.header(header, value));
    }

    @Test
    void aPrefixThatAProxyHasCutOffDoesNotCount() {
        Answer direct = client.post("/operations/plain", key);
        Answer behindProxy = plain("X-Forwarded-Prefix", "/shop");

        assertThat(direct.body()).isEqualTo("run 1");
        assertThat(behindProxy.status()).isEqualTo(200);
        assertThat(behindProxy.replayed()).isTrue();
    }

    @Test
    void whatAnEarlierVersionRecordedUnderThePrefixIsFound() {
        recorded(key, "/shop/operations/plain", "{}");

        assertThat(plain("X-Forwarded-Prefix", "/shop").body()).isEqualTo("earlier");
        assertThat(client.post("/operations/plain", key).status()).isEqualTo(422);
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void aPathWithAPrefixIsNotThatOfARouteWithoutIt() {
        String longer = "/operations/again/operations/plain";

        assertThat(client.post(longer, key).body()).isEqualTo("run 1");
        assertThat(plain("X-Forwarded-Prefix", "/operations/again").status()).isEqualTo(422);
        assertThat(client.post(longer, key).replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aPrefixIsCutOffOnce() {
        String longer = "/operations/again/operations/plain";
        client.post(longer, key, request -> request.header("X-Forwarded-Prefix", "/operations/again"));

        assertThat(client.post(longer, key).replayed()).isTrue();
        assertThat(client.post("/operations/plain", key).status()).isEqualTo(422);
    }

    @Test
    void whatCannotBeATenantIsSaidToBeSo() {
        Answer refused = plain("X-Org", "a\tb");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body())
                .contains("What names the tenant cannot be used")
                .doesNotContain("Authenticate");
    }

    @ParameterizedTest
    @CsvSource({"X-Amount: 1, X-Amount: 9", "X-Amount: 1, ''", "'', Content-ID: <1>", "X-Amount: 1, X-Number: 1"})
    void theHeadersOfAPartCount(String one, String other) {
        assertThat(client.send(formOfPart(one)).status()).isEqualTo(200);
        assertThat(client.send(formOfPart(one)).replayed()).isTrue();
        assertThat(client.send(formOfPart(other)).status()).isEqualTo(422);
    }

    private HttpRequest.Builder formOfPart(String header) {
        return multipart(
                "/operations/plain",
                "multipart/form-data",
                "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n" + header + (header.isEmpty() ? "" : "\r\n")
                        + "\r\n1\r\n--b--\r\n");
    }

    @Test
    void aUuidIsOneKeyInUpperAndInLowerCase() {
        client.post("/operations/plain", key);

        assertThat(client.post("/operations/plain", key.toUpperCase(Locale.ROOT))
                        .replayed())
                .isTrue();
    }

    @Test
    void whatAnEarlierVersionRecordedUnderAUuidInUpperCaseIsFound() {
        String upper = key.toUpperCase(Locale.ROOT);
        recorded(upper, "/operations/plain", "{}");

        assertThat(client.post("/operations/plain", upper).body()).isEqualTo("earlier");
        assertThat(client.post("/operations/plain", key).body()).isEqualTo("earlier");
    }

    @ParameterizedTest
    @CsvSource({
        "multipart/mixed, ''",
        "multipart/related, ''",
        "multipart/mixed, 'Content-Disposition: form-data; name=\"a\"\r\n'",
        "multipart/x-own, ''"
    })
    void aMultipartBodyThatIsNoFormIsComparedAndHandledAsBytes(String type, String head) {
        String body = "--b\r\n" + head + "Content-Type: text/plain\r\n\r\none\r\n--b--\r\n";

        Answer first = client.send(multipart(type, body));
        Answer second = client.send(multipart(type, body));

        assertThat(first.body()).isEqualTo(body.length() + " bytes, run 1");
        assertThat(second.replayed()).isTrue();
        assertThat(client.send(multipart(type, body.replace("one", "two"))).status())
                .isEqualTo(422);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aMultipartBodyOverTheLimitIsRefused() {
        assertThat(client.send(multipart("multipart/mixed", "--b\r\n\r\n" + "x".repeat(3000) + "\r\n--b--\r\n"))
                        .status())
                .isEqualTo(413);
    }

    protected final Answer formOfNamelessParts(String content) {
        return client.send(multipart(
                "multipart/form-data", "--b\r\nContent-Type: text/plain\r\n\r\n" + content + "\r\n--b--\r\n"));
    }

    /** Sends a form without saying how long it is. */
    protected final Answer formInChunks(String path, String body) {
        return client.send(multipart(path, "multipart/form-data", body)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes(body)))));
    }

    private HttpRequest.Builder multipart(String type, String body) {
        return multipart("/operations/bytes", type, body);
    }

    protected final HttpRequest.Builder multipart(String path, String type, String body) {
        return client.request(path)
                .setHeader("Content-Type", type + "; boundary=b")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(body));
    }

    @ParameterizedTest
    @CsvSource({
        "/operations/chosen, X-Kind, card, transfer",
        "/operations/consumed, Content-Type, application/json, application/vnd.order.v2+json",
        "/operations/produced, Accept, text/plain, application/json",
        "/operations/named/7, X-Kind, card, transfer",
        "/operations/typed/7, Content-Type, application/json, application/vnd.order.v2+json",
        "/operations/accepted/7, Accept, text/plain, application/json",
        "/operations/below/1, X-Kind, card, transfer",
        "/operations/below/1, X-Kind, transfer, card",
        "/operations/crossed/begin/end, X-Kind, '', card",
        "/operations/special/vip, X-Kind, '', card",
        "/operations/special/vip, X-Kind, card, ''",
        "/operations/versions/same, X-Version, 1, 2",
        "/operations/versions/7, X-Version, 1, 2",
        "/operations/versions/7, X-Own-Version, 1, 2",
        "/operations/versions/same, Accept, text/plain;v=1, text/plain;v=2",
        "/operations/versions/7, Content-Type, text/plain;v=2, text/plain;v=1",
    })
    void oneKeyAtTwoHandlersThatAHeaderSelectsIsRefused(String path, String header, String one, String other) {
        Answer first = client.post(path, key, request -> request.setHeader(header, one));

        assertThat(first.status()).isEqualTo(200);
        assertThat(client.post(path, key, request -> request.setHeader(header, one))
                        .bytes())
                .isEqualTo(first.bytes());
        assertThat(client.post(path, key, request -> request.setHeader(header, other))
                        .status())
                .isEqualTo(422);
    }

    @Test
    protected void oneKeyAtTwoHandlersOfTheRestOfAPathIsRefused() {
        assertThat(client.post("/operations/rest/1", key, request -> request.header("X-Kind", "card"))
                        .body())
                .isEqualTo("card 1");
        assertThat(client.post("/operations/rest/1", key, request -> request.header("X-Kind", "transfer"))
                        .status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "/operations/parameter, action, pay, cancel",
        "/operations/parameter/7, action, pay, cancel",
        "/operations/versions/same, v, 1, 2",
        "/operations/versions/7, v, 1, 2",
    })
    void oneKeyAtTwoHandlersThatAParameterSelectsIsRefused(String path, String name, String one, String other) {
        String query = path + "?" + name + "=";

        assertThat(client.post(query + one + "&at=1", key).body()).endsWith(" 1");
        assertThat(client.post(query + one + "&at=2", key).replayed()).isTrue();
        assertThat(client.post(query + other + "&at=1", key).status()).isEqualTo(422);
    }

    @Test
    void theWayInWhichBytesAreWrittenSelectsNoHandler() {
        client.post("/operations/consumed", key);

        assertThat(client.post(
                                "/operations/consumed",
                                key,
                                request -> request.setHeader("Content-Type", "Application/JSON; charset=UTF-8"))
                        .replayed())
                .isTrue();
    }

    @Test
    void whatTheOnlyHandlerOfAPathProducesDoesNotCount() {
        client.post("/operations/alone", key, request -> request.header("Accept", "application/json"));

        assertThat(client.post("/operations/alone", key, request -> request.header("Accept", "*/*"))
                        .replayed())
                .isTrue();
    }

    @Test
    void whatSelectsAHandlerBehindOneThatTakesAllDoesNotCount() {
        client.post("/operations/first/search", key, request -> request.header("Accept", "text/plain"));

        assertThat(client.post("/operations/first/search", key, request -> request.header("Accept", "*/*"))
                        .replayed())
                .isTrue();
    }

    @Test
    void whatAnEarlierVersionRecordedForOneOfSeveralHandlersIsFound() {
        recorded(key, "/operations/chosen", "{}");

        assertThat(client.post("/operations/chosen", key, request -> request.header("X-Kind", "card"))
                        .body())
                .isEqualTo("earlier");
    }

    /** Records an answer under the key and the fingerprint of an earlier version. */
    private void recorded(String sent, String path, String body) {
        Fingerprint fingerprint = Fingerprint.of(bytes("POST"), bytes(path), bytes(""), bytes(body));
        StoredResponse answer =
                StoredResponse.of(200, List.of(new Header("Content-Type", "text/plain")), bytes("earlier"));
        try (IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            executor.execute(
                    Operation.of(
                                    new IdempotencyKey("default|host=127.0.0.1", sent),
                                    new Scope("http.shop"),
                                    ExecutionPolicy.defaults())
                            .withFingerprint(fingerprint),
                    attempt -> new WorkResult.Complete<>("done", StoredResponseCodec.encode(answer)));
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
