package io.idem.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.tls.Certificates;
import io.idem.servers.tls.TlsFront;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A real Redis behind TLS, with certificates that nobody but the application's SSL bundles trusts. */
@Tag("servers")
class IdemRedisTlsTest {

    private static final String BUNDLE = "spring.ssl.bundle.jks.mine.";

    @TempDir
    private static Path directory;

    private static RunningRedis redis;
    private static TlsFront here;
    private static TlsFront elsewhere;
    private static TlsFront mutual;
    private static Path trustInHere;
    private static Path trustInElsewhere;
    private static Path client;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    IdemAutoConfiguration.class,
                    IdemRedisAutoConfiguration.class,
                    DataRedisAutoConfiguration.class))
            .withPropertyValues("idem.redis.retry-budget=100ms");

    @BeforeAll
    static void start() {
        Certificates certificates = new Certificates(directory);
        Path identity = certificates.identity("here", "ip:127.0.0.1,dns:localhost");
        Path otherIdentity = certificates.identity("elsewhere", "dns:elsewhere.example");
        client = certificates.identity("client", "dns:client.example");
        trustInHere = certificates.trustIn(identity);
        trustInElsewhere = certificates.trustIn(otherIdentity);
        redis = RedisServers.start(ServerOptions.own());
        here = new TlsFront(Certificates.server(identity), false, redis.host(), redis.port());
        elsewhere = new TlsFront(Certificates.server(otherIdentity), false, redis.host(), redis.port());
        mutual = new TlsFront(
                Certificates.server(identity, certificates.trustIn(client)), true, redis.host(), redis.port());
    }

    @AfterAll
    static void stop() {
        here.close();
        elsewhere.close();
        mutual.close();
        redis.close();
    }

    private ApplicationContextRunner trusting(Path store) {
        return runner.withPropertyValues(
                BUNDLE + "truststore.type=PKCS12",
                BUNDLE + "truststore.location=file:" + store,
                BUNDLE + "truststore.password=" + Certificates.PASSWORD);
    }

    private static ApplicationContextRunner showing(Path identity, ApplicationContextRunner runner) {
        return runner.withPropertyValues(
                BUNDLE + "keystore.type=PKCS12",
                BUNDLE + "keystore.location=file:" + identity,
                BUNDLE + "keystore.password=" + Certificates.PASSWORD);
    }

    private static ApplicationContextRunner at(TlsFront server, ApplicationContextRunner runner) {
        return runner.withPropertyValues("spring.data.redis.host=localhost", "spring.data.redis.port=" + server.port());
    }

    private static Outcome<String> run(IdempotentExecutor executor) throws Exception {
        Operation operation = Operation.of(
                IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"), ExecutionPolicy.defaults());
        return executor.execute(operation, work -> new WorkResult.Complete<>("done", StoredResult.NONE));
    }

    /** With a command timeout that a busy machine does not use up: it bounds the handshake, too. */
    private static void assertServes(ApplicationContextRunner application) {
        application
                .withPropertyValues("idem.lease=2m", "idem.redis.command-timeout=20s")
                .run(context -> assertThat(run(context.getBean(IdempotentExecutor.class)))
                        .isInstanceOf(Outcome.Executed.class));
    }

    private static void assertRefused(ApplicationContextRunner application) {
        application.run(context -> assertThatThrownBy(() -> run(context.getBean(IdempotentExecutor.class)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be used"));
    }

    @Test
    void theBundleOfTheApplicationsRedisIsUsed() {
        assertServes(at(here, trusting(trustInHere)).withPropertyValues("spring.data.redis.ssl.bundle=mine"));
    }

    @Test
    void itIsUsedWithoutSpringDataRedisToo() {
        assertServes(at(here, trusting(trustInHere))
                .withPropertyValues("spring.data.redis.ssl.bundle=mine")
                .withClassLoader(new FilteredClassLoader("org.springframework.data", "org.springframework.boot.data")));
    }

    @Test
    void aUrlForIdemAloneMayHaveABundleOfItsOwn() {
        assertServes(trusting(trustInHere)
                .withPropertyValues("idem.redis.url=rediss://localhost:" + here.port(), "idem.redis.ssl-bundle=mine"));
    }

    @Test
    void aServerThatNobodyTrustsIsNotUsed() {
        assertRefused(at(here, runner).withPropertyValues("spring.data.redis.ssl.enabled=true"));
    }

    @Test
    void aTrustedCertificateOfAnotherHostIsNotUsed() {
        assertRefused(
                at(elsewhere, trusting(trustInElsewhere)).withPropertyValues("spring.data.redis.ssl.bundle=mine"));
    }

    @Test
    void aServerThatAsksForACertificateIsShownThatOfTheBundle() {
        assertServes(showing(client, at(mutual, trusting(trustInHere)))
                .withPropertyValues("spring.data.redis.ssl.bundle=mine"));
    }

    @Test
    void withoutACertificateOfItsOwnItIsTurnedAway() {
        assertRefused(at(mutual, trusting(trustInHere)).withPropertyValues("spring.data.redis.ssl.bundle=mine"));
    }

    @Test
    void aBundleThatDoesNotExistIsNamed() {
        runner.withPropertyValues("idem.redis.url=rediss://localhost:1", "idem.redis.ssl-bundle=missing")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContainingAll("idem.redis.ssl-bundle", "missing"));
    }
}
