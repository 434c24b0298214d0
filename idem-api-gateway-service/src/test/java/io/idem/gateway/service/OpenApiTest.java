package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordState;
import io.idem.gateway.IntakeRouter;
import io.idem.gateway.RouteDescription;
import io.idem.gateway.service.openapi.OpenApiCustomizer;
import io.idem.gateway.service.schema.JsonSchemaCheck;
import io.idem.http.internal.servlet.IncomingServletRequest;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The description of configured and coded routes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class OpenApiTest {

    private static final String PAYMENTS = "idem.gateway.routes[0].";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Broker broker = new Broker();
    private Intake intake;
    private String text;
    private JsonNode document;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(
                Stream.of(
                                broker.settings(),
                                broker.route(0, "/v1/payments", Broker.PAYMENTS),
                                broker.route(1, "/hooks/{source:[a-z]+}/**", Broker.PAYMENTS),
                                Stream.of(
                                        "idem.http.headers.retention=Idempotency-Retention",
                                        "idem.http.max-key-length=64",
                                        "idem.gateway.open-paths=/idem/**,/hooks/**",
                                        "idem.gateway.openapi.title=Payments of the shop",
                                        "idem.gateway.openapi.version=2.1",
                                        PAYMENTS + "id=requestPayment",
                                        PAYMENTS + "summary=Requests a payment",
                                        PAYMENTS + "description=It is made **later**.",
                                        PAYMENTS + "schema=classpath:schemas/payment.json",
                                        PAYMENTS + "min-key-length=16",
                                        PAYMENTS + "retention=48h",
                                        PAYMENTS + "await=payments",
                                        PAYMENTS + "after-rejection=reopen",
                                        PAYMENTS + "response.location=/v1/payments/{id}",
                                        "idem.gateway.routes[1].key-required=false",
                                        "idem.gateway.routes[1].key-format=uuid",
                                        "idem.gateway.routes[1].tenant.name=hooks"))
                        .flatMap(part -> part),
                Coded.class);
        text = intake.send(intake.request("/idem/openapi.json")).body();
        document = JSON.readTree(text);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void anOpenApiParserHasNoComplaint() {
        SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(text, null, null);

        assertThat(parsed.getMessages()).isEmpty();
        assertThat(parsed.isOpenapi31()).isTrue();
        assertThat(parsed.getOpenAPI().getPaths())
                .containsOnlyKeys(
                        "/v1/payments",
                        "/hooks/{source}/{wildcard2}",
                        "/v1/transfers",
                        "/v1/raw",
                        "/v1/operations",
                        "/v1/operations/{key}");
        assertThat(parsed.getOpenAPI().getInfo().getTitle()).isEqualTo("Payments of the shop");
        assertThat(parsed.getOpenAPI().getInfo().getVersion()).isEqualTo("2.1");
    }

    @Test
    void theParserWouldComplain() {
        String broken = text.replace("\"in\":\"header\"", "\"in\":\"nowhere\"").replace("\"responses\"", "\"answers\"");

        assertThat(new OpenAPIV3Parser().readContents(broken, null, null).getMessages())
                .isNotEmpty();
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = document.findValuesAsString("$ref");

        assertThat(references)
                .contains("#/components/schemas/Problem", "#/components/schemas/requestPayment/$defs/line");
        assertThat(references)
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isObject())
                        .isTrue());
    }

    @Test
    void aConfiguredRouteIsDescribedByItsSettings() {
        JsonNode operation = document.at("/paths/~1v1~1payments/post");

        assertThat(operation.path("operationId").asString()).isEqualTo("requestPayment");
        assertThat(operation.path("summary").asString()).isEqualTo("Requests a payment");
        assertThat(operation.path("description").asString()).isEqualTo("It is made **later**.");
        assertThat(operation
                        .at("/requestBody/content/application~1json/schema/$ref")
                        .asString())
                .isEqualTo("#/components/schemas/requestPayment");
        assertThat(operation
                        .at("/responses/202/content/application~1json/example/id")
                        .asString())
                .isEqualTo("{id}");
        assertThat(operation.at("/responses/202/headers").propertyNames())
                .containsExactlyInAnyOrder("Idempotency-Replayed", "Location", "Idempotency-Retention");
        assertThat(operation.at("/x-idempotency/retention").asString()).isEqualTo("PT48H");
        assertThat(operation.at("/security/0/caller").isArray()).isTrue();
    }

    @Test
    void theKeyIsAParameterWithItsRules() {
        JsonNode payments = document.at("/paths/~1v1~1payments/post/parameters/0");
        JsonNode hooks = document.at("/paths/~1hooks~1{source}~1{wildcard2}/post/parameters/0");

        assertThat(payments.path("name").asString()).isEqualTo("Idempotency-Key");
        assertThat(payments.path("required").asBoolean()).isTrue();
        assertThat(payments.at("/schema/minLength").asInt()).isEqualTo(16);
        assertThat(payments.at("/schema/maxLength").asInt()).isEqualTo(64);
        assertThat("8e03978e-40d5-43e8-bc93-6894a57f9324")
                .matches(pattern(payments))
                .matches(pattern(hooks));
        assertThat("\"a key, \\\"quoted\\\"\"").matches(pattern(payments)).doesNotMatch(pattern(hooks));
        assertThat("a key").doesNotMatch(pattern(payments));
        assertThat("a;b").doesNotMatch(pattern(payments));
        assertThat(hooks.path("required").asBoolean()).isFalse();
    }

    private static String pattern(JsonNode parameter) {
        return parameter.at("/schema/pattern").asString();
    }

    @Test
    void onlyWhatCanHappenIsAmongTheRefusals() {
        JsonNode payments = document.at("/paths/~1v1~1payments/post/responses");
        JsonNode hooks = document.at("/paths/~1hooks~1{source}~1{wildcard2}/post/responses");

        assertThat(payments.propertyNames())
                .containsExactlyInAnyOrder("202", "400", "401", "403", "409", "413", "415", "422", "503");
        assertThat(payments.at("/400/description").asString())
                .contains("key-missing", "body-schema-violated")
                .doesNotContain("operation-unknown");
        assertThat(payments.at("/409/headers/Retry-After").isObject()).isTrue();
        assertThat(payments.at("/503/headers/Retry-After").isObject()).isTrue();
        assertThat(hooks.at("/400/description").asString())
                .contains("key-malformed")
                .doesNotContain("key-missing", "body-schema-violated");
        assertThat(hooks.at("/202/headers").propertyNames()).contains("Idempotency-Key");
    }

    @Test
    void theStatusMayBeWaitedForAndThePostMayNot() {
        JsonNode payments = document.at("/paths/~1v1~1payments/post");
        JsonNode status = document.at("/paths/~1v1~1operations~1{key}/get");

        assertThat(payments.path("parameters").findValuesAsString("name")).doesNotContain("Prefer");
        assertThat(status.path("parameters").findValuesAsString("name")).contains("Prefer");
        assertThat(status.at("/responses/200/headers").propertyNames()).contains("Preference-Applied");
        assertThat(status.at("/responses/200/content/application~1json/schema/$ref")
                        .asString())
                .isEqualTo("#/components/schemas/OperationStatus");
    }

    @Test
    void anOpenRouteAsksForNoCredentials() {
        assertThat(document.at("/paths/~1hooks~1{source}~1{wildcard2}/post/security"))
                .isEmpty();
        assertThat(document.at("/components/securitySchemes/caller/scheme").asString())
                .isEqualTo("bearer");
    }

    @Test
    void aCodedRouteIsDescribedByItsOptionsAndByWhatItSays() {
        JsonNode transfers = document.at("/paths/~1v1~1transfers/put");
        JsonNode raw = document.at("/paths/~1v1~1raw/post");

        assertThat(transfers.path("operationId").asString()).isEqualTo("transfer");
        assertThat(transfers.path("responses").propertyNames()).contains("201");
        assertThat(transfers
                        .at("/requestBody/content/application~1json/schema/$ref")
                        .asString())
                .isEqualTo("#/components/schemas/transfer");
        assertThat(raw.path("responses").propertyNames()).contains("2XX");
        assertThat(raw.at("/responses/415").toString())
                .contains("content-coding-unsupported")
                .doesNotContain("media-type-unsupported");
        assertThat(raw.at("/requestBody/content").propertyNames()).containsExactly("*/*");
        assertThat(document.path("x-audience").asString()).isEqualTo("partners");
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"account\":7}"})
    void refusalsAreAsDescribed(String body) {
        Intake.Answer refused = intake.post("/v1/payments", Intake.NORTH, Intake.newKey(), body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(violation("Problem", refused.body())).isEmpty();
        assertThat(violation("OperationStatus", refused.body())).isPresent();
    }

    @Test
    void theStatusIsAsDescribed() {
        String key = Intake.newKey();
        intake.post("/v1/payments", key);

        assertThat(violation(
                        "OperationStatus", intake.operation(Intake.NORTH, key).body()))
                .isEmpty();
    }

    @Test
    void everyStateOfAnOperationIsDescribed() {
        JsonNode states =
                document.at("/components/schemas/OperationStatus/properties/scopes/items/properties/state/enum");

        assertThat(states.valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrderElementsOf(Stream.of(RecordState.values())
                        .filter(state -> state != RecordState.ABSENT)
                        .map(Enum::name)
                        .toList());
    }

    private Optional<String> violation(String schema, String body) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        return JsonSchemaCheck.of(document.at("/components/schemas/" + schema).toString())
                .check(IncomingServletRequest.of(request), body.getBytes(StandardCharsets.UTF_8))
                .map(Object::toString);
    }

    @Test
    @Tag("extended")
    void theDescriptionMayBeElsewhereOrNowhere() {
        List<String> settings = List.of(
                "idem.gateway.authentication=none",
                "idem.http.tenant=single",
                "server.servlet.context-path=/shop",
                "idem.gateway.routes[0].path=/v1/payouts",
                "idem.gateway.routes[0].topic=payouts");
        try (Intake moved =
                Intake.start(Stream.concat(settings.stream(), Stream.of("idem.gateway.openapi.path=/openapi.json")))) {
            JsonNode described = JSON.readTree(
                    moved.send(moved.request("/shop/openapi.json")).body());

            assertThat(moved.send(moved.request("/shop/idem/openapi.json")).status())
                    .isEqualTo(404);
            assertThat(described.at("/servers/0/url").asString()).isEqualTo("/shop");
            assertThat(described.at("/info/title").asString()).isEqualTo("intake");
            assertThat(described.at("/components/securitySchemes").isMissingNode())
                    .isTrue();
            assertThat(described.at("/paths/~1v1~1payouts/post/responses").propertyNames())
                    .doesNotContain("401");
        }
        try (Intake silent =
                Intake.start(Stream.concat(settings.stream(), Stream.of("idem.gateway.openapi.enabled=false")))) {
            assertThat(silent.send(silent.request("/shop/idem/openapi.json")).status())
                    .isEqualTo(404);
        }
    }

    /** What a user writes. */
    @Configuration(proxyBeanMethods = false)
    static class Coded {

        @Bean
        IntakeRouter transfers() {
            JsonSchemaCheck schema = JsonSchemaCheck.of(new ClassPathResource("schemas/payment.json"));
            return IntakeRouter.create()
                    .route(
                            HttpMethod.PUT,
                            "/v1/transfers",
                            options -> options.check(schema),
                            request -> ServerResponse.status(201).build())
                    .describe(route -> route.withOperationId("transfer")
                            .withAnswer(new RouteDescription.Answer(201, Optional.empty(), false)))
                    .POST("/v1/raw", request -> ServerResponse.accepted().build());
        }

        @Bean
        OpenApiCustomizer audience() {
            return document -> document.put("x-audience", "partners");
        }
    }
}
