package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document of springdoc says of protected operations what clients need to know of the filter. */
public abstract class DescribedRoutesContract {

    private final App app;
    private JsonNode paths = JsonMapper.shared().createObjectNode();

    protected DescribedRoutesContract(App app) {
        this.app = app;
    }

    @BeforeEach
    void read() {
        Client client = app.client();
        paths = JsonMapper.shared()
                .readTree(client.send(client.request("/v3/api-docs").GET()).bytes())
                .path("paths");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders", "/annotated/{id}", "/numbered/{id}", "/renamed/{id}/pay"})
    void aProtectedOperationShowsKeyRefusalsAndMarker(String path) {
        JsonNode operation = paths.path(path).path("post");
        JsonNode key = parameter(operation);

        assertThat(operation.path("parameters").toString()).doesNotContain("query");
        assertThat(key.path("in").asString()).isEqualTo("header");
        assertThat(key.path("required").asBoolean()).isTrue();
        assertThat(key.at("/schema/minLength").asInt()).isEqualTo(16);
        assertThat(key.at("/schema/maxLength").asInt()).isEqualTo(255);
        JsonNode responses = operation.path("responses");
        assertThat(responses.at("/200/headers/Idempotency-Replayed").isObject()).isTrue();
        assertThat(responses.at("/409/headers/Retry-After").isObject()).isTrue();
        assertThat(responses.at("/409/description").asString()).contains("urn:idem:problem:in-progress");
        assertThat(responses.at("/422/description").asString()).contains("urn:idem:problem:key-reused");
        assertThat(responses.at("/503/description").asString()).contains("urn:idem:problem:store-unavailable");
        assertThat(responses.at("/422/content/application~1problem+json").isObject())
                .isTrue();
        assertThat(responses.at("/409/headers/Idempotency-Replayed").isMissingNode())
                .isTrue();
    }

    @Test
    void aRouteThatNeedsNoKeySaysSo() {
        assertThat(parameter(paths.path("/optional").path("post"))
                        .path("required")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void whatTheApplicationDescribedStays() {
        JsonNode operation = paths.path("/described").path("post");

        assertThat(operation.path("parameters").size()).isEqualTo(1);
        assertThat(operation.at("/responses/409/description").asString()).isEqualTo("our own words");
    }

    @Test
    void whatTheDocumentDescribesElsewhereStays() {
        JsonNode referring = paths.path("/referring").path("post");

        assertThat(referring.path("parameters").toString()).isEqualTo("[{\"$ref\":\"#/components/parameters/Key\"}]");
        assertThat(referring.at("/responses/409").toString())
                .isEqualTo("{\"$ref\":\"#/components/responses/Conflict\"}");
        assertThat(referring.at("/responses/200/headers/Idempotency-Replayed").isObject())
                .isTrue();
        assertThat(paths.at("/~1shared-by-path/post/parameters").isMissingNode())
                .isTrue();
    }

    @Test
    void aWebhookShowsNoKeyHeader() {
        JsonNode operation = paths.path("/webhooks").path("post");

        assertThat(operation.path("parameters").isMissingNode()).isTrue();
        assertThat(operation.at("/responses/503").isObject()).isTrue();
        assertThat(operation.at("/responses/422").isMissingNode()).isTrue();
    }

    @Test
    void unprotectedOperationsShowNothing() {
        for (String pointer : new String[] {"/~1open/post", "/~1orders/get"}) {
            JsonNode operation = paths.at(pointer);

            assertThat(operation.isObject()).isTrue();
            assertThat(operation.path("parameters").isMissingNode()).isTrue();
            assertThat(operation.path("responses").propertyNames()).containsExactly("200");
        }
    }

    private static JsonNode parameter(JsonNode operation) {
        assertThat(operation
                        .path("parameters")
                        .valueStream()
                        .map(one -> one.path("name").asString()))
                .filteredOn(Client.KEY::equals)
                .hasSize(1);
        return operation
                .path("parameters")
                .valueStream()
                .filter(one -> one.path("name").asString().equals(Client.KEY))
                .findFirst()
                .orElseThrow();
    }
}
