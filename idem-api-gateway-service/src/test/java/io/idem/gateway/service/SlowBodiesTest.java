package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.Environment;

/** Clients that go on sending a body, a byte at a time, to servers with fewer threads: as many as Tomcat has by default. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowBodiesTest {

    private static final String AUTHORIZED = "Authorization: Bearer " + Intake.NORTH + "\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
    private static final String MULTIPART = "Content-Type: multipart/form-data; boundary=b\r\n";
    private static final String LONG = "Content-Length: 100000\r\n\r\n";
    private static final String ENDLESS_CHUNK = "Transfer-Encoding: chunked\r\n\r\n5;extension=";

    private static final String ANOTHER =
            "GET /v1/operations?key=unknown HTTP/1.1\r\nHost: intake\r\nConnection: close\r\n" + AUTHORIZED + "\r\n";

    private final Intake intake = Intake.startWithKeys(Stream.concat(
            settings(),
            GatewayApplication.DEFAULTS.entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue())));
    private final Intake embedded = Intake.startWithKeys(settings());

    private static Stream<String> settings() {
        return Stream.of(
                "idem.gateway.limits.body-timeout=1s",
                "idem.gateway.routes[0].path=/v1/payments",
                "idem.gateway.routes[0].exchange=nobody-publishes",
                "idem.gateway.routes[0].routing-key=here");
    }

    @AfterAll
    void stop() {
        intake.close();
        embedded.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /v1/payments HTTP/1.1\r\n" + JSON + LONG,
                "POST /v1/payments HTTP/1.1\r\n" + JSON + ENDLESS_CHUNK,
                "POST /v1/payments HTTP/1.1\r\nExpect: 100-continue\r\n" + JSON + LONG,
                "POST /v1/payments HTTP/1.1\r\nAuthorization: Bearer nobodys\r\n" + JSON + LONG,
                "POST /v1/payments HTTP/1.1\r\n" + FORM + LONG,
                "PUT /v1/payments HTTP/1.1\r\n" + FORM + LONG,
                "POST /v1/payments HTTP/1.1\r\n" + MULTIPART + LONG,
                "PUT /v1/unknown HTTP/1.1\r\n" + JSON + LONG,
                "GET /idem/openapi.json HTTP/1.1\r\n" + JSON + LONG,
                "OPTIONS * HTTP/1.1\r\n" + JSON + LONG,
                "OPTIONS * HTTP/1.1\r\n" + ENDLESS_CHUNK,
                "POST /%00 HTTP/1.1\r\n" + JSON + LONG,
                "POST /idem/openapi.json HTTP/1.1\r\n" + MULTIPART + LONG,
                "POST /v1/unknown HTTP/1.1\r\n" + AUTHORIZED + JSON + LONG
            })
    void bodiesThatNobodyReadsKeepNoThread(String request) throws IOException {
        try (SlowClients unused = new SlowClients(intake, request)) {
            assertThat(intake.statusOf(ANOTHER)).isEqualTo(404);
        }
    }

    @Test
    void formsThatTheServerTakesApartKeepTheirThreadForABoundedTime() throws IOException {
        try (SlowClients unused = new SlowClients(embedded, "PUT /v1/payments HTTP/1.1\r\n" + FORM + LONG)) {
            assertThat(embedded.statusOf(ANOTHER)).isEqualTo(404);
        }
    }

    @Test
    void aBodyOfATenantKeepsItsThreadForABoundedTime() throws IOException {
        try (SlowClients clients = new SlowClients(
                intake, "POST /v1/payments HTTP/1.1\r\nIdempotency-Key: k-1\r\n" + AUTHORIZED + JSON + LONG)) {
            assertThat(intake.statusOf(ANOTHER)).isEqualTo(404);
            assertThat(clients.firstAnswer()).startsWith("HTTP/1.1 408");
            assertThat(intake.operation(Intake.NORTH, "k-1").status())
                    .as("no key was taken")
                    .isEqualTo(404);
        }
    }

    @Test
    void aRefusedBodyThatArrivesLeavesTheConnectionOpen() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), intake.port())) {
            socket.setSoTimeout(60_000);
            send(socket, "POST /v1/payments HTTP/1.1\r\nHost: intake\r\n" + JSON + LONG + "1".repeat(100_000));
            send(socket, ANOTHER);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 401")
                    .contains("HTTP/1.1 404");
        }
    }

    @Test
    void theTimeOutOfConnectionsIsShort() {
        assertThat(intake.bean(Environment.class).getProperty("server.tomcat.connection-timeout"))
                .isEqualTo("10s");
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Three hundred connections; each sends a byte now and then until the server hangs up. */
    private static final class SlowClients implements AutoCloseable {

        private static final int CLIENTS = 300;
        private static final int PAUSE_MILLIS = 100;

        private final List<Socket> sockets = new ArrayList<>();
        private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();

        SlowClients(Intake intake, String request) throws IOException {
            for (int i = 0; i < CLIENTS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), intake.port());
                socket.setSoTimeout(60_000);
                sockets.add(socket);
                send(socket, request.replaceFirst("\r\n", "\r\nHost: intake\r\n"));
            }
            var unused = pace.scheduleWithFixedDelay(
                    () -> sockets.forEach(SlowClients::sendOne), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }

        private static void sendOne(Socket socket) {
            try {
                send(socket, "1");
            } catch (IOException hungUp) {
                // The server need not wait for the rest.
            }
        }

        String firstAnswer() throws IOException {
            return new String(sockets.get(0).getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }

        @Override
        public void close() throws IOException {
            pace.shutdownNow();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
