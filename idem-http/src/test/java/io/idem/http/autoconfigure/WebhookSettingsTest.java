package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.IdempotentRoute;
import io.idem.http.Routes;
import io.idem.http.StoredAnswers;
import io.idem.http.WebhookPreset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;

/** The settings of routes whose requests bring their key with them, and their refusals at start-up. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class WebhookSettingsTest {

    private final WebApplicationContextRunner app = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class, IdemHttpAutoConfiguration.class))
            .withUserConfiguration(IdemHttpAutoConfigurationTest.Engine.class)
            .withPropertyValues("spring.application.name=shop");

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "key.preset=stripe > nothing verifies who sent it; set signing-secrets",
                "key.pointers=/id > nothing verifies who sent it; set signing-secrets",
                "key.preset=adyen signing-secrets=s > idem does not verify signatures of ADYEN",
                "key.preset=standard-webhooks signing-secrets=whsec_? > not whsec_ and Base64",
                "key.preset=stripe signing-secrets=${STRIPE_SECRET} > has a placeholder that nothing replaces",
                "key.preset=stripe signing-secrets=s key-format=UUID > are about the key header",
                "key.header=X-Id min-key-length=8 > are about the key header",
                "key.pointers=id signature=verified-before > key.pointers \"id\" is no JSON pointer",
                "key.pointers=/0/id signature=verified-before > hand each element to a listener under its own key",
                "key.pointers=/account,/events/0 signature=verified-before > key.pointers \"/events/0\" takes the key of one element",
                "key.preset=stripe signing-secrets.a=s signing-secrets.b=s > has one secret twice",
                "key.preset=adyen signing-secrets.a=s > idem does not verify signatures of ADYEN",
                "key.preset=stripe signing-secrets.a=s signature=verified-before > exclude each other",
                "key.header=a:b > key.header \"a:b\" is not the name of a header",
                "key.header=X-Id key.pointers=/id signature=verified-before > exclude each other",
                "key.preset=stripe key.header=X-Id signature=verified-before > exclude each other",
                "key.preset=stripe signing-secrets=s signature=verified-before > exclude each other",
                "key.header=X-Id signing-secrets=s > signing-secrets has an effect only with key.preset",
                "signing-secrets=s > signing-secrets has an effect only with key.preset",
                "signature=verified-before > signature=verified-before has an effect only",
                "key.header=X-Id required=false > required=false",
                "key.preset=paypal signature=verified-before required=false > required=false",
            })
    void aRouteThatContradictsItselfIsRefusedByItsNumber(String settings, String complaint) {
        app.withPropertyValues("idem.http.routes[0].path=/payments", "idem.http.routes[1].path=/webhooks")
                .withPropertyValues(ofRoute(settings))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("idem.http.routes[1]: ")
                        .hasStackTraceContaining(complaint));
    }

    @ParameterizedTest
    @ValueSource(strings = {"retention=3d", "key.header=X-GitHub-Delivery"})
    void aRouteThatHidesTheKeyOrTheCheckOfAnotherIsRefused(String setting) {
        app.withBean(
                        IdempotentRoute.class,
                        () -> IdempotentRoute.post("/webhooks/github")
                                .with(options -> options.webhook(WebhookPreset.GITHUB, "secret")))
                .withPropertyValues(
                        "idem.http.tenant=SINGLE",
                        "idem.http.routes[0].path=/webhooks/github",
                        "idem.http.routes[0]." + setting)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("POST /webhooks/github is declared twice")
                        .hasStackTraceContaining("remove one"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"key.pointers=/0/id fingerprint.query=true", "key.pointers=/v1/id"})
    void aPointerThroughAListStartsWhereTheBodyIsCompared(String settings) {
        app.withPropertyValues("idem.http.routes[0].path=/payments", "idem.http.routes[1].path=/webhooks")
                .withPropertyValues("idem.http.tenant=SINGLE", "idem.http.routes[1].signature=verified-before")
                .withPropertyValues(ofRoute(settings))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "signing-secrets=a,b > 0",
                "signing-secrets[0]=a signing-secrets[1]=b > 0,1",
                "signing-secrets.north=a,b signing-secrets.south[0]=c > north,south",
                "signing-secrets.1001=a signing-secrets.1002=b > 1001,1002"
            })
    void secretsAreThoseOfOneSenderOrOfNamedOnes(String settings, String names) {
        app.withPropertyValues("idem.http.routes[0].path=/payments", "idem.http.routes[1].path=/webhooks")
                .withPropertyValues("idem.http.tenant=SINGLE", "idem.http.routes[1].key.preset=stripe")
                .withPropertyValues(ofRoute(settings))
                .run(context -> {
                    SigningSecrets secrets = context.getBean(IdemHttpProperties.class)
                            .routes()
                            .get(1)
                            .signingSecrets();
                    assertThat(secrets.keySet()).containsExactly(names.split(","));
                    assertThat(secrets.ofOne())
                            .isEqualTo(names.startsWith("0") ? Optional.of(List.of("a", "b")) : Optional.empty());
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "signing-secrets.0=a,b signing-secrets.1=c",
                "signing-secrets.0=a signing-secrets.2=b",
                "signing-secrets.0=a signing-secrets.1001=b"
            })
    void numbersThatMayBeNamesOrPlacesInAListAreRefused(String settings) {
        app.withPropertyValues("idem.http.routes[0].path=/payments", "idem.http.routes[1].path=/webhooks")
                .withPropertyValues("idem.http.tenant=SINGLE", "idem.http.routes[1].key.preset=stripe")
                .withPropertyValues(ofRoute(settings))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("idem.http.routes[1]: signing-secrets has the numbers [0, ")
                        .hasStackTraceContaining("with a letter"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/hook/*",
                "/hook/**",
                "/hook/*/x",
                "/hook/shop?",
                "/hook/shop*",
                "/hook/{shop}/*",
                "/{a:[a-z]{2}}/*"
            })
    void aWildcardWhoseMatchIsNoPartOfTheKeyIsRefused(String path) {
        app.withPropertyValues("idem.http.tenant=SINGLE", "idem.http.routes[0].path=" + path)
                .withPropertyValues("idem.http.routes[0].key.header=X-Event")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(path + " takes keys from requests")
                        .hasStackTraceContaining("for example /hook/{shop} or /hook/{*rest}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hook/{shop}", "/hook/{*rest}", "/hook/{a:[a-z]{1,2}?.*}/{b}"})
    void aVariableWhoseMatchIsPartOfTheKeyStarts(String path) {
        app.withPropertyValues("idem.http.tenant=SINGLE", "idem.http.routes[0].path=" + path)
                .withPropertyValues("idem.http.routes[0].key.header=X-Event")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anUnknownPresetIsRefusedByTheNameOfItsSetting() {
        app.withPropertyValues("idem.http.routes[0].path=/webhooks", "idem.http.routes[0].key.preset=strype")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("idem.http.routes[0].key.preset")
                        .hasStackTraceContaining("strype"));
    }

    @Test
    void aRouteOfAPresetComparesNothingAndStoresSuccessesUnlessItSaysSo() {
        app.withPropertyValues(
                        "idem.http.store=EVERYTHING",
                        "idem.http.fingerprint.canonical-json=true",
                        "idem.http.routes[0].path=/webhooks/stripe",
                        "idem.http.routes[0].key.preset=stripe",
                        "idem.http.routes[0].signing-secrets=whsec_secret",
                        "idem.http.routes[1].path=/webhooks/shopify",
                        "idem.http.routes[1].key.preset=shopify",
                        "idem.http.routes[1].signature=verified-before",
                        "idem.http.routes[1].store=BELOW_500")
                .run(context -> {
                    Routes routes = context.getBean(ApplicationRoutes.class).get();
                    assertThat(routes.options())
                            .allSatisfy(
                                    options -> assertThat(options.keySource()).containsInstanceOf(WebhookPreset.class));
                    assertThat(routes.options())
                            .extracting(options -> options.storing())
                            .containsExactlyInAnyOrder(StoredAnswers.SUCCESS, StoredAnswers.BELOW_500);
                });
    }

    @Test
    void theReportAtTheStartSaysWhereTheKeyIsAndNoSecret(CapturedOutput output) {
        app.withPropertyValues(
                        "idem.http.routes[0].path=/webhooks/stripe",
                        "idem.http.routes[0].key.preset=stripe",
                        "idem.http.routes[0].signing-secrets=whsec_secret",
                        "idem.http.routes[1].path=/webhooks/events",
                        "idem.http.routes[1].key.pointers=/id,/account",
                        "idem.http.routes[1].signature=verified-before")
                .run(context -> {
                    assertThat(output)
                            .contains("key required, from the JSON body, at /account and /id, or /id")
                            .contains("key required, from the JSON body, at /id and /account, sender verified before");
                    assertThat(context.getBean(IdemHttpProperties.class).toString())
                            .doesNotContain("whsec_secret");
                });
    }

    private static String[] ofRoute(String settings) {
        return Stream.of(settings.strip().split(" "))
                .map(setting -> "idem.http.routes[1]." + setting)
                .toArray(String[]::new);
    }
}
