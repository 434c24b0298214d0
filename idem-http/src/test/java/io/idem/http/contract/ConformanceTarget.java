package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** What a vector may do to an application: send requests to the {@link ConformanceEndpoints}, and see what ran. */
final class ConformanceTarget {

    private static final Pattern LINK = Pattern.compile("<(/[^#>]*)#([^>]*)>; rel=\"describedby\"");

    private final JsonMapper json = new JsonMapper();
    private final Client client;
    private final ConformanceEndpoints endpoints;
    private final FaultyStore store;
    private String key = Client.newKey();

    ConformanceTarget(App app) {
        this.client = app.client();
        this.endpoints = app.bean(ConformanceEndpoints.class);
        this.store = app.bean(FaultyStore.class);
    }

    /** Forgets what ran, and begins with another key. */
    void reset() {
        endpoints.reset();
        key = Client.newKey();
    }

    /** A key that nothing was sent with since the last {@link #reset}, bare. */
    String key() {
        return key;
    }

    static String quoted(String key) {
        return '"' + key + '"';
    }

    int runs() {
        return endpoints.runs();
    }

    void letTimePass(Duration time) {
        store.advance(time);
    }

    boolean wasAskedFor(String parsedKey) {
        return store.acquires(IdempotencyKey.of(parsedKey)) > 0;
    }

    /** Sends a text to {@code /echo}. */
    Answer echo(String keyLine, String body) {
        return post("/echo", keyLine, body);
    }

    Answer echoWithoutKey(String body) {
        return client.send(request("/echo").POST(BodyPublishers.ofString(body)));
    }

    Answer post(String path, String keyLine, String body) {
        return client.send(request(path).header(Client.KEY, keyLine).POST(BodyPublishers.ofString(body)));
    }

    Answer send(HttpRequest.Builder request) {
        return client.send(request);
    }

    HttpRequest.Builder request(String path) {
        return client.request(path).setHeader("Content-Type", "text/plain");
    }

    /** Sends a request whose handler runs until {@link #release}; returns once it runs. */
    CompletableFuture<Answer> begin(String keyLine) {
        endpoints.hold();
        int before = runs();
        CompletableFuture<Answer> answer =
                client.sendAsync(request("/slow").header(Client.KEY, keyLine).POST(BodyPublishers.ofString("slow")));
        await().until(() -> runs() == before + 1);
        return answer;
    }

    void release() {
        endpoints.release();
    }

    /** A member of a problem detail; empty if it is not there. */
    String member(Answer answer, String name) {
        return json.readTree(answer.bytes()).path(name).asString("");
    }

    /** The answer is a problem detail, and its {@code Link} leads to a page that explains it. */
    void assertThatItIsExplained(Answer answer) {
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(member(answer, "type")).isNotBlank();
        assertThat(member(answer, "title")).isNotBlank();
        assertThat(member(answer, "detail")).isNotBlank();
        Matcher link = LINK.matcher(answer.header("Link"));
        assertThat(link.matches()).as(answer.header("Link")).isTrue();
        Answer page = client.send(client.request(link.group(1)).GET());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.body()).contains("id=\"" + link.group(2) + '"');
    }
}
