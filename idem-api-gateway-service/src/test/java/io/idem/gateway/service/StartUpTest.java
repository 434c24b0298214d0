package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Settings with which an intake does not start, and the words of its refusal. Most cases start what their settings can
 * reach. Those of an intake without API keys and of an application's own chain start everything.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class StartUpTest {

    private static final String ROUTE = "idem.gateway.routes[0].";
    private static final List<String> RABBIT =
            List.of(ROUTE + "path=/v1/payments", ROUTE + "exchange=payments", ROUTE + "routing-key=payment");
    private static final List<String> KAFKA = List.of(ROUTE + "path=/v1/payouts", ROUTE + "topic=payouts");

    static List<Arguments> mistakes() {
        return List.of(
                mistake("The intake has no route", List.of()),
                mistake(
                        "Setting idem.gateway.routes[0] goes both to an exchange and to a topic",
                        RABBIT,
                        ROUTE + "topic=payments"),
                mistake(
                        "Setting idem.gateway.routes[0] says neither to which exchange nor to which topic",
                        List.of(ROUTE + "path=/v1/payments")),
                mistake("Setting idem.gateway.routes[0].path is missing", List.of(ROUTE + "topic=payouts")),
                mistake(
                        "Setting idem.gateway.routes[0].path does not start with /",
                        List.of(ROUTE + "path=v1/payouts", ROUTE + "topic=payouts")),
                mistake(
                        "Setting idem.gateway.routes[0].path has a variable {id}, and placeholders of that name",
                        List.of(ROUTE + "path=/v1/payments/{id}/refunds", ROUTE + "topic=payouts")),
                mistake(
                        "Setting idem.gateway.routes[0].path has a variable {key}, and placeholders of that name",
                        List.of(ROUTE + "path=/v1/{payment}/{key}", ROUTE + "topic=payouts")),
                mistake(
                        "Setting idem.gateway.routes[0].path has a variable {tenant}, and placeholders of that name",
                        List.of(ROUTE + "path=/v1/{tenant}/payouts", ROUTE + "topic=payouts")),
                mistake(
                        "Setting idem.gateway.routes[0].routing-key is missing beside the default exchange",
                        List.of(ROUTE + "path=/v1/payments", ROUTE + "exchange=")),
                mistake("names GET, which has no effect to protect", KAFKA, ROUTE + "method=GET"),
                mistake(
                        "Route POST /v1/{b} is declared twice",
                        List.of(ROUTE + "path=/v1/{a}", ROUTE + "topic=payouts"),
                        "idem.gateway.routes[1].path=/v1/{b}",
                        "idem.gateway.routes[1].topic=payouts"),
                mistake(
                        "Setting idem.gateway.routes[0].response.body is not usable: placeholder {nobody}",
                        KAFKA,
                        ROUTE + "response.body={\"id\":\"{nobody}\"}"),
                mistake(
                        "Setting idem.gateway.routes[0].response is not usable: body is not JSON",
                        KAFKA,
                        ROUTE + "response.body={id}"),
                mistake(
                        "Setting idem.gateway.routes[0].response is not usable: status 500",
                        KAFKA,
                        ROUTE + "response.status=500"),
                mistake(
                        "Setting idem.gateway.routes[0].partition-key is not usable",
                        KAFKA,
                        ROUTE + "partition-key={account}"),
                mistake(
                        "Setting idem.gateway.routes[0].await is not usable: Scope \"Payments\"",
                        KAFKA,
                        ROUTE + "await=Payments"),
                mistake("Setting idem.gateway.max-wait: PT-1S", KAFKA, "idem.gateway.max-wait=-1s"),
                mistake("Setting idem.gateway.max-publishing: 0", KAFKA, "idem.gateway.max-publishing=0"),
                mistake("Setting idem.gateway.max-waiting: -1", KAFKA, "idem.gateway.max-waiting=-1"),
                mistake(
                        "Setting idem.gateway.routes[0].schema is not usable: cannot be read: class path resource",
                        KAFKA,
                        ROUTE + "schema=classpath:schemas/nobody.json"),
                mistake(
                        "Setting idem.gateway.routes[0].retention is not usable: retention PT1S is shorter than the lease",
                        KAFKA,
                        ROUTE + "retention=1s"),
                mistake(
                        "Setting idem.gateway.confirm-timeout: PT40S is not between 0 and PT20S, two thirds of the lease PT30S",
                        KAFKA,
                        "idem.gateway.confirm-timeout=40s"),
                mistake(
                        "Setting idem.gateway.limits is not usable: requests and burst must be at least 1, not 0 and 0",
                        KAFKA,
                        "idem.gateway.limits.requests=0"),
                mistake(
                        "Setting idem.gateway.limits.burst limits nothing without idem.gateway.limits.requests",
                        KAFKA,
                        "idem.gateway.limits.burst=5"),
                mistake(
                        "Setting idem.gateway.limits.tenants.north.requests is missing",
                        KAFKA,
                        "idem.gateway.limits.tenants.north.per=1m"),
                mistake(
                        "Setting idem.gateway.limits.in-flight is not usable",
                        KAFKA,
                        "idem.gateway.limits.in-flight=0"),
                mistake(
                        "Setting idem.gateway.limits.body-timeout was removed",
                        KAFKA,
                        "idem.gateway.limits.bodyTimeout=20s"),
                mistake("The Kafka producer setting acks=1", KAFKA, "spring.kafka.producer.acks=1"),
                mistake(
                        "The Kafka producer setting enable.idempotence=false",
                        KAFKA,
                        "spring.kafka.producer.properties.enable.idempotence=false"),
                mistake(
                        "there is no ProducerFactory",
                        KAFKA,
                        "spring.autoconfigure.exclude=org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration"));
    }

    static List<Arguments> contradictions() {
        String oauth2 = "idem.gateway.authentication=oauth2";
        String issuer = "spring.security.oauth2.resourceserver.";
        String jwks = issuer + "jwt.jwk-set-uri=http://127.0.0.1:9/keys";
        return List.of(
                mistake("nothing says how tokens are verified", KAFKA, oauth2),
                mistake("jwt.issuer-uri", KAFKA, oauth2),
                mistake(
                        "tokens would be verified in two ways",
                        KAFKA,
                        oauth2,
                        jwks,
                        issuer + "opaquetoken.introspection-uri=http://127.0.0.1:9/ask",
                        issuer + "opaquetoken.client-id=intake",
                        issuer + "opaquetoken.client-secret=unused"),
                mistake(
                        "idem.gateway.authentication=oauth2 would not ask for them",
                        KAFKA,
                        oauth2,
                        jwks,
                        "idem.gateway.api-keys[0].tenant=north",
                        "idem.gateway.api-keys[0].key=abc"),
                mistake(
                        "Setting idem.gateway.routes[0].required-scope would not be asked for",
                        KAFKA,
                        ROUTE + "required-scope=payments",
                        "idem.gateway.authentication=none",
                        "idem.http.tenant=single"),
                mistake(
                        "the server asks nobody for a certificate",
                        KAFKA,
                        "idem.gateway.authentication=client-certificate"),
                mistake(
                        "idem.http.tenant=SINGLE says otherwise",
                        KAFKA,
                        "idem.http.tenant=SINGLE",
                        "idem.gateway.api-keys[0].tenant=north",
                        "idem.gateway.api-keys[0].key=abc"),
                mistake(
                        "The settings under idem.gateway.api-keys cannot be used: the API key of tenant south is listed",
                        KAFKA,
                        "idem.gateway.api-keys[0].tenant=north",
                        "idem.gateway.api-keys[0].key=abc",
                        "idem.gateway.api-keys[1].tenant=south",
                        "idem.gateway.api-keys[1].key=abc"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contradictions")
    @Tag("extended")
    void anUnclearAuthenticationEndsTheStartAndIsExplained(
            String complaint, List<String> settings, CapturedOutput output) {
        assertThatThrownBy(() -> Intake.startReduced(settings.stream())).isNotNull();

        assertThat(output).contains("APPLICATION FAILED TO START", complaint);
    }

    @Test
    void scopesAreNotLeftToAnApplicationsOwnChain(CapturedOutput output) {
        Stream<String> settings = Stream.concat(
                KAFKA.stream(),
                Stream.of(
                        ROUTE + "required-scope=payments",
                        "idem.gateway.authentication=oauth2",
                        "spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://127.0.0.1:9/keys"));
        assertThatThrownBy(() -> Intake.start(settings, OwnChain.class)).isNotNull();

        assertThat(output)
                .contains(
                        "Setting idem.gateway.routes[0].required-scope would not be asked for", "SecurityFilterChain");
    }

    /** What a user may have. */
    @Configuration(proxyBeanMethods = false)
    static class OwnChain {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }

    private static Arguments mistake(String complaint, List<String> settings, String... more) {
        return Arguments.of(
                complaint, Stream.concat(settings.stream(), Arrays.stream(more)).toList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    @Tag("extended")
    void aMistakeInTheSettingsEndsTheStartAndIsExplained(
            String complaint, List<String> settings, CapturedOutput output) {
        assertThatThrownBy(() -> Intake.startReduced(Stream.concat(Intake.keys(), settings.stream())))
                .isNotNull();

        assertThat(output).contains("APPLICATION FAILED TO START", complaint);
    }

    @Test
    void anIntakeWithoutApiKeysDoesNotStartUnlessSomebodyElseAuthenticates(CapturedOutput output) {
        assertThatThrownBy(() -> Intake.start(KAFKA.stream())).isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START", "idem.gateway.api-keys has none", "authentication=none");
    }

    @Test
    void authenticationIsNotTurnedOffByAnotherSpelling(CapturedOutput output) {
        assertThatThrownBy(() -> Intake.startReduced(
                        Stream.concat(KAFKA.stream(), Stream.of("idem.gateway.authentication=API_KEY"))))
                .isNotNull();

        assertThat(output).contains("idem.gateway.api-keys has none");
    }

    @Test
    void withoutAuthenticationItMustStillBeSaidWhoseKeysTheyAre(CapturedOutput output) {
        assertThatThrownBy(() -> Intake.startReduced(
                        Stream.concat(KAFKA.stream(), Stream.of("idem.gateway.authentication=none"))))
                .isNotNull();

        assertThat(output).contains("APPLICATION FAILED TO START", "idem.http.tenant");
    }

    @Test
    void anIntakeThatNobodyHasToAuthenticateToStarts() {
        Stream<String> open = Stream.of("idem.gateway.authentication=none", "idem.http.tenant=single");
        try (Intake intake = Intake.start(Stream.concat(KAFKA.stream(), open))) {
            assertThat(intake.send(intake.request("/v1/operations/unknown")).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void anIntakeBelievesTheTenantThatItsProxyNames() {
        Stream<String> proxied = Stream.of(
                "idem.gateway.authentication=none",
                "idem.http.tenant=proxy-header",
                "idem.http.tenant-from.header=X-Tenant",
                "idem.http.tenant-from.trusted-proxies=127.0.0.0/8");
        try (Intake intake = Intake.start(Stream.concat(KAFKA.stream(), proxied))) {
            assertThat(intake.send(intake.request("/v1/operations/unknown").header("X-Tenant", "acme"))
                            .status())
                    .isEqualTo(404);
            assertThat(intake.send(intake.request("/v1/operations/unknown")).status())
                    .isEqualTo(403);
        }
    }

    @Test
    void anApiKeyInTheSettingsIsNeverPrinted(CapturedOutput output) {
        assertThatThrownBy(() -> Intake.startReduced(Stream.concat(
                        KAFKA.stream(),
                        Stream.of(
                                "idem.gateway.api-keys[0].tenant=north",
                                "idem.gateway.api-keys[0].key=very-secret",
                                "idem.gateway.api-keys[0].sha256=abc"))))
                .isNotNull();

        assertThat(output)
                .contains("Setting idem.gateway.api-keys[0] needs either key or sha256")
                .doesNotContain("very-secret");
    }
}
