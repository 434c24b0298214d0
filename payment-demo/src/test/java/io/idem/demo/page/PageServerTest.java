package io.idem.demo.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageServerTest {

    private static final String WISH = "{\"kind\":\"PAYMENT\",\"cents\":1250}";
    private static final ScriptedPlayground PLAYGROUND = new ScriptedPlayground();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static PageServer server;

    @BeforeAll
    static void serve() {
        server = PageServer.start(0, PLAYGROUND);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        URI uri = server.uri().resolve(path);
        return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri().resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/page.css", "/page.js", "/flow.js", "/icon.svg"})
    void thePageIsServedAndMayLoadNothingFromElsewhere(String path) throws Exception {
        HttpResponse<String> reply = get(path);

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe", "http:", "https:"));
    }

    @Test
    void onlyTheLoopbackAddressListens() {
        assertThat(server.uri()).hasHost("127.0.0.1");
    }

    @Test
    void aButtonThatThePageSendsIsPressed() throws Exception {
        String own = "http://127.0.0.1:" + server.uri().getPort();

        HttpResponse<String> reply = post("/actions/send", WISH, LocalRequestsFilter.HEADER, "page", "Origin", own);

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"text\":\"send PAYMENT 1250\"}");
    }

    @Test
    void whatAFormOfAnotherSiteCouldSendPressesNoButton() throws Exception {
        List<String> before = List.copyOf(PLAYGROUND.pressed);

        HttpResponse<String> reply = post("/actions/kill-worker", "", "Origin", "http://evil.example");

        assertThat(reply.statusCode()).isEqualTo(403);
        assertThat(PLAYGROUND.pressed).isEqualTo(before);
    }

    @Test
    void aScriptOfAnotherOriginPressesNoButton() throws Exception {
        List<String> before = List.copyOf(PLAYGROUND.pressed);
        String header = LocalRequestsFilter.HEADER;

        assertThat(post("/actions/stop-redis", "", header, "x", "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(post("/actions/stop-redis", "", header, "x", "Origin", "null")
                        .statusCode())
                .isEqualTo(403);
        assertThat(PLAYGROUND.pressed).isEqualTo(before);
    }

    @Test
    void aNameThatOnlyResolvesToThisMachineMaySeeNothing() throws Exception {
        assertThat(statusLineFor("evil.example")).contains(" 403 ");
        assertThat(statusLineFor("localhost")).contains(" 200 ");
    }

    /** Sends a request over a plain socket, because the HTTP client of Java does not allow another {@code Host}. */
    private static String statusLineFor(String host) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            String request =
                    "GET / HTTP/1.1\r\nHost: " + host + ":" + server.uri().getPort() + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return reply.lines().findFirst().orElseThrow();
        }
    }

    @Test
    void noOtherSiteIsAllowedToAskForTheHeader() throws Exception {
        HttpRequest preflight = HttpRequest.newBuilder(server.uri().resolve("/actions/stop-redis"))
                .method("OPTIONS", BodyPublishers.noBody())
                .headers("Origin", "http://evil.example", "Access-Control-Request-Method", "POST")
                .build();

        HttpResponse<String> reply = HTTP.send(preflight, BodyHandlers.ofString());

        assertThat(reply.statusCode()).isEqualTo(403);
        assertThat(reply.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    void whatCannotBeDoneNowIsExplained() throws Exception {
        HttpResponse<String> retry = post("/actions/retry", "", LocalRequestsFilter.HEADER, "page");
        HttpResponse<String> nothing =
                post("/actions/send", "{\"kind\":\"PAYOUT\",\"cents\":0}", LocalRequestsFilter.HEADER, "page");

        assertThat(retry.statusCode()).isEqualTo(409);
        assertThat(retry.body()).contains("Send something first.");
        assertThat(nothing.statusCode()).isEqualTo(409);
        assertThat(nothing.body()).contains("The amount must be from 0.01");
    }

    @Test
    void theStreamBeginsWithEverythingAndGoesOnWithWhatIsNew() throws Exception {
        post("/actions/change", "", LocalRequestsFilter.HEADER, "page");
        try (Stream<String> stream = stream()) {
            Iterator<String> frames = stream.filter(line -> !line.isEmpty()).iterator();
            assertThat(frames.next()).isEqualTo("event:everything");
            assertThat(frames.next()).startsWith("data:{\"version\":").contains("\"change\"");

            post("/actions/kill-worker", "", LocalRequestsFilter.HEADER, "page");

            assertThat(frames.next()).isEqualTo("event:change");
            assertThat(frames.next()).contains("\"kill\"").doesNotContain("\"change\"");
        }
    }

    private static Stream<String> stream() throws IOException, InterruptedException {
        URI uri = server.uri().resolve("/stream");
        return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofLines())
                .body();
    }
}
