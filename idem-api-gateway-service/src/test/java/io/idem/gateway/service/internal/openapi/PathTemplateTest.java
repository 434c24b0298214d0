package io.idem.gateway.service.internal.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTemplateTest {

    @ParameterizedTest
    @CsvSource({
        "/v1/payments, /v1/payments",
        "/v1/{account}/x-{id}, /v1/{account}/x-{id}",
        "/v1/{id:[0-9]{4}}/x, /v1/{id}/x",
        "/files/{*path}, /files/{path}",
        "/hooks/**, /hooks/{wildcard1}",
        "/*/{a}/*, /{wildcard1}/{a}/{wildcard3}"
    })
    void aPatternIsAPathWithVariables(String pattern, String path) {
        assertThat(PathTemplate.of(pattern).text()).isEqualTo(path);
    }

    @Test
    void anExpressionIsTheVariablesPattern() {
        assertThat(PathTemplate.of("/v1/{id:[0-9]{4}}/{account}").variables())
                .isEqualTo(List.of(
                        new PathTemplate.Variable("id", Optional.of("^(?:[0-9]{4})$")),
                        new PathTemplate.Variable("account", Optional.empty())));
    }
}
