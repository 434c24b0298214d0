package io.idem.gateway.internal.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.Problem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.IncomingServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class JsonObjectCheckTest {

    private final JsonObjectCheck check = new JsonObjectCheck();

    @ParameterizedTest
    @ValueSource(strings = {"{}", " {\"a\":{\"b\":[1,{}]}} ", "{\"a\":1,\"b\":{\"a\":2}}"})
    void oneObjectPasses(String body) {
        assertThat(problem("application/json", body)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "1",
                "\"a\"",
                "null",
                "{",
                "{\"a\":1",
                "{}{}",
                "{} x",
                "{a:1}",
                "{\"a\":1,\"a\":2}"
            })
    void anythingElseIsRefused(String body) {
        assertThat(problem("application/json", body)).contains(GatewayProblem.BODY_NOT_JSON_OBJECT);
    }

    @Test
    void nestingWithoutEndIsRefused() {
        assertThat(problem("application/json", "{\"a\":".repeat(100_000)))
                .contains(GatewayProblem.BODY_NOT_JSON_OBJECT);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"application/json;charset=utf-8", "application/vnd.payment+json"})
    void jsonMayBeSaidInSeveralWaysOrNotAtAll(@Nullable String contentType) {
        assertThat(problem(contentType, "{}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "nonsense", "*/*"})
    void anotherMediaTypeIsRefused(String contentType) {
        assertThat(problem(contentType, "{}")).contains(GatewayProblem.MEDIA_TYPE_UNSUPPORTED);
    }

    @Test
    void aMediaTypeThatIsTooLongForAMessageIsRefused() {
        assertThat(problem("application/json;a=" + "x".repeat(236), "{}")).isEmpty();
        assertThat(problem("application/json;a=" + "x".repeat(237), "{}"))
                .contains(GatewayProblem.MEDIA_TYPE_UNSUPPORTED);
    }

    private Optional<Problem> problem(@Nullable String contentType, String body) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setContentType(contentType);
        return check.check(IncomingServletRequest.of(request), body.getBytes(StandardCharsets.UTF_8))
                .map(Refusal::problem);
    }
}
