package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an intake does not start with, and what it says instead. */
@ExtendWith(OutputCaptureExtension.class)
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
                        "Setting idem.gateway.confirm-timeout: PT40S is not between 0 and the lease PT30S",
                        KAFKA,
                        "idem.gateway.confirm-timeout=40s"),
                mistake(
                        "Set spring.rabbitmq.publisher-confirm-type=correlated",
                        RABBIT,
                        "spring.rabbitmq.publisher-confirm-type=simple"),
                mistake("spring.rabbitmq.publisher-returns=true", RABBIT, "spring.rabbitmq.publisher-returns=false"),
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

    private static Arguments mistake(String complaint, List<String> settings, String... more) {
        return Arguments.of(
                complaint, Stream.concat(settings.stream(), Arrays.stream(more)).toList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeInTheSettingsEndsTheStartAndIsExplained(
            String complaint, List<String> settings, CapturedOutput output) {
        assertThatThrownBy(() -> Intake.startWithKeys(settings.stream())).isNotNull();

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
        assertThatThrownBy(() ->
                        Intake.start(Stream.concat(KAFKA.stream(), Stream.of("idem.gateway.authentication=API_KEY"))))
                .isNotNull();

        assertThat(output).contains("idem.gateway.api-keys has none");
    }

    @Test
    void withoutAuthenticationItMustStillBeSaidWhoseKeysTheyAre(CapturedOutput output) {
        assertThatThrownBy(() ->
                        Intake.start(Stream.concat(KAFKA.stream(), Stream.of("idem.gateway.authentication=none"))))
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
    void anApiKeyInTheSettingsIsNeverPrinted(CapturedOutput output) {
        assertThatThrownBy(() -> Intake.start(Stream.concat(
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
