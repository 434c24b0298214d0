package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An intake that fetches the keys of its authorization server; the token's subject is the tenant. */
@Tag("extended")
class AuthorizationServerTest {

    private static final String PATH = "/v1/payments";

    private final TokenIssuer issuer = new TokenIssuer();
    private final AtomicBoolean away = new AtomicBoolean(true);

    @Test
    void whileItIsAwayRequestsGet503AndTheirKeysStayFree() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/keys", exchange -> {
            byte[] body = issuer.jwkSet();
            exchange.sendResponseHeaders(away.get() ? 500 : 200, away.get() ? -1 : body.length);
            try (exchange) {
                exchange.getResponseBody().write(away.get() ? new byte[0] : body);
            }
        });
        server.start();
        Stream<String> settings = Stream.of(
                "idem.gateway.authentication=oauth2",
                "spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://127.0.0.1:"
                        + server.getAddress().getPort() + "/keys");
        try (Broker broker = new Broker();
                Intake intake =
                        Intake.start(Stream.of(broker.settings(), broker.route(0, PATH, Broker.PAYMENTS), settings)
                                .flatMap(part -> part))) {
            broker.bind(Broker.PAYMENTS);
            String key = Intake.newKey();

            Intake.Answer refused = intake.post(PATH, issuer.token("ann"), key, Intake.BODY);

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body())
                    .contains("urn:idem:problem:authentication-unavailable", "\"retryWithSameKey\":true");

            away.set(false);
            assertThat(intake.operation(issuer.token("ann"), key).status()).isEqualTo(404);
            assertThat(intake.post(PATH, issuer.token("ann"), key, Intake.BODY).status())
                    .isEqualTo(202);
            assertThat(intake.operation(issuer.token("ann"), key).status()).isEqualTo(200);
            assertThat(intake.operation(issuer.token("bob"), key).status()).isEqualTo(404);
        } finally {
            server.stop(0);
        }
    }
}
