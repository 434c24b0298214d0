package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.gateway.service.schema.JsonSchemaCheck;
import io.idem.http.internal.servlet.IncomingServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.springframework.amqp.core.Message;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mock.web.MockHttpServletRequest;

/**
 * Bytes that no well-behaved client sends, from another tenant than the one whose key they carry: none yields a server error other than
 * 503, none is told the other tenant's answer, none spoils a record, none is published that the route's schema does not know.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class HostileIntakeTest {

    private static final String PATH = "/v1/payments";
    private static final String EVENTS = "event";
    private static final int TIMEOUT_MILLIS = 20_000;

    private final JsonSchemaCheck schema = JsonSchemaCheck.of(new ClassPathResource("schemas/payment.json"));
    private final Broker broker = new Broker();
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        broker.bind(EVENTS);
        intake = Intake.startWithKeys(Stream.of(
                        broker.settings(),
                        broker.route(0, PATH, Broker.PAYMENTS),
                        broker.route(1, "/v1/events", EVENTS),
                        broker.route(2, "/v1/accounts/{account}/payouts", EVENTS),
                        Stream.of(
                                "idem.gateway.routes[0].schema=classpath:schemas/payment.json",
                                "idem.gateway.routes[1].key-required=false",
                                "idem.gateway.routes[1].schema=classpath:schemas/payment.json",
                                "idem.gateway.routes[2].response.body={\"account\":\"{account}\"}"))
                .flatMap(part -> part));
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void malformedKeysHeadersAndBodiesYieldNoServerErrorAndSpoilNothing(TestReporter reporter) throws IOException {
        attack(1_500, reporter);
    }

    @Test
    @Tag("extended")
    void tenThousandMalformedRequestsYieldNoServerErrorAndSpoilNothing(TestReporter reporter) throws IOException {
        attack(10_000, reporter);
    }

    private void attack(int requests, TestReporter reporter) throws IOException {
        long seed = System.nanoTime();
        reporter.publishEntry("seed", Long.toString(seed));
        String key = Intake.newKey();
        Intake.Answer norths = intake.post(PATH, key);
        HostileIntakeRequest hostile = new HostileIntakeRequest(new Random(seed), key, Intake.SOUTH);
        Map<String, Integer> statuses = new TreeMap<>();
        for (int i = 0; i < requests; i++) {
            byte[] request = hostile.next();
            String answer = answerTo(request);
            statuses.merge(answer.lines().findFirst().orElse("none"), 1, Integer::sum);
            assertThat(answer)
                    .as("seed %d, request %d: %s", seed, i, new String(request, StandardCharsets.ISO_8859_1))
                    .doesNotContain(norths.body())
                    .doesNotMatch("(?s)HTTP/1.1 5(?!03).*");
        }
        reporter.publishEntry("statuses", statuses.toString());
        assertThat(statuses.keySet()).as("seed %d", seed).anyMatch(line -> line.contains(" 202"));
        assertThat(intake.post(PATH, key).response().body())
                .as("seed %d", seed)
                .isEqualTo(norths.response().body());
        requireKnownPayments(seed);
    }

    private void requireKnownPayments(long seed) {
        @Nullable Message message = broker.next(Broker.PAYMENTS);
        while (message != null) {
            byte[] body = message.getBody();
            assertThat(schema.check(IncomingServletRequest.of(new MockHttpServletRequest()), body))
                    .as("seed %d: %s", seed, new String(body, StandardCharsets.ISO_8859_1))
                    .isEmpty();
            message = broker.next(Broker.PAYMENTS);
        }
    }

    /** Everything that the server sends until it hangs up, which it may do as soon as it refuses a request. */
    private String answerTo(byte[] request) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), intake.port())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            socket.getInputStream().transferTo(answer);
        } catch (SocketException hungUp) {
            // What came before is the answer.
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }
}
