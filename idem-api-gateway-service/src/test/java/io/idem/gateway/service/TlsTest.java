package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.gateway.IntakeRouter;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.tls.Certificates;
import io.idem.servers.tls.TlsFront;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.ServerResponse;

/** An intake with TLS on both sides: clients show certificates, and Redis is reached over TLS alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class TlsTest {

    private static final String PATH = "/v1/work";
    private static final String BUNDLE = "spring.ssl.bundle.pem.";

    private RunningRedis redis;
    private TlsFront front;
    private Intake intake;
    private HttpClient north;
    private HttpClient south;
    private HttpClient stranger;
    private HttpClient nobody;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Certificates certificates = new Certificates(directory);
        Path server = certificates.identity("intake", "ip:127.0.0.1");
        Path trust = certificates.trustIn(server);
        Path norths = certificates.identity("north", "dns:north.example");
        Path souths = certificates.identity("south", "dns:south.example");
        Path strangers = certificates.identity("stranger", "dns:stranger.example");
        Path clients = Files.writeString(
                directory.resolve("clients.pem"),
                Files.readString(certificates.certificatePem(norths))
                        + Files.readString(certificates.certificatePem(souths)));
        redis = RedisServers.start(ServerOptions.own());
        front = new TlsFront(Certificates.server(server), false, redis.host(), redis.port());
        intake = Intake.startOnRedis(
                Stream.of(
                        BUNDLE + "intake.keystore.certificate=file:" + certificates.certificatePem(server),
                        BUNDLE + "intake.keystore.private-key=file:" + certificates.keyPem(server),
                        BUNDLE + "intake.truststore.certificate=file:" + clients,
                        "server.ssl.bundle=intake",
                        "server.ssl.client-auth=need",
                        "idem.gateway.authentication=client-certificate",
                        BUNDLE + "redis.truststore.certificate=file:" + certificates.certificatePem(server),
                        "idem.redis.url=rediss://127.0.0.1:" + front.port(),
                        "idem.redis.ssl-bundle=redis"),
                Work.class);
        north = client(Certificates.client(trust, norths));
        south = client(Certificates.client(trust, souths));
        stranger = client(Certificates.client(trust, strangers));
        nobody = client(Certificates.client(trust));
    }

    @AfterAll
    void stop() {
        intake.close();
        front.close();
        redis.close();
    }

    @Test
    void theCertificateOfTheConnectionNamesTheTenant() throws Exception {
        String key = Intake.newKey();

        Intake.Answer norths = post(north, key);
        Intake.Answer souths = post(south, key);

        assertThat(norths.status()).isEqualTo(200);
        assertThat(norths.body()).contains("\"tenant\":\"north\"");
        assertThat(souths.replayed()).isFalse();
        assertThat(souths.body()).contains("\"tenant\":\"south\"");
        assertThat(post(north, key).replayed()).isTrue();
        assertThat(post(north, key).response().body())
                .isEqualTo(norths.response().body());
    }

    @Test
    void theDescriptionSaysThatCertificatesAreAskedFor() throws Exception {
        URI plain = intake.request("/idem/openapi.json").build().uri();
        HttpRequest ask = HttpRequest.newBuilder(URI.create(plain.toString().replace("http:", "https:")))
                .build();

        assertThat(north.send(ask, BodyHandlers.ofString()).body()).contains("\"mutualTLS\"");
    }

    @Test
    void withoutATrustedCertificateThereIsNoConnection() {
        String key = Intake.newKey();

        assertThatThrownBy(() -> post(stranger, key)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> post(nobody, key)).isInstanceOf(IOException.class);
    }

    private static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context)
                .build();
    }

    private Intake.Answer post(HttpClient client, String key) throws IOException, InterruptedException {
        URI plain = intake.request(PATH).build().uri();
        return new Intake.Answer(client.send(
                intake.request(PATH)
                        .uri(URI.create(plain.toString().replace("http:", "https:")))
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofByteArray()));
    }

    /** What a user writes. */
    @Configuration(proxyBeanMethods = false)
    static class Work {

        @Bean
        IntakeRouter work() {
            return IntakeRouter.create()
                    .POST(
                            PATH,
                            request -> ServerResponse.ok()
                                    .body(Map.of("tenant", request.key().tenant())));
        }
    }
}
