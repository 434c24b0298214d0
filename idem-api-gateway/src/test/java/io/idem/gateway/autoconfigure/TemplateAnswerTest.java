package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.gateway.IntakeRequest;
import io.idem.memory.InMemoryIdempotencyStore;
import jakarta.servlet.http.MappingMatch;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.ServletRequestPathUtils;

class TemplateAnswerTest {

    @ParameterizedTest
    @CsvSource({"'', ''", "/intake, ''", "'', /api", "/intake, /api"})
    void aLocationWithinTheApplicationHasItsPath(String contextPath, String servletPath) throws Exception {
        assertThat(location(true, contextPath, servletPath))
                .isEqualTo(contextPath + servletPath + "/v1/operations?key=k%2F1");
    }

    @Test
    void aLocationThatTheSettingsNameStaysAsItIs() throws Exception {
        assertThat(location(false, "/intake", "/api")).isEqualTo("/v1/operations?key=k%2F1");
    }

    private static @Nullable String location(boolean within, String contextPath, String servletPath) throws Exception {
        MockHttpServletRequest http = new MockHttpServletRequest("POST", contextPath + servletPath + "/v1/payments");
        http.setContextPath(contextPath);
        http.setServletPath(servletPath);
        if (!servletPath.isEmpty()) {
            http.setHttpServletMapping(
                    new MockHttpServletMapping("v1/payments", servletPath + "/*", "dispatcher", MappingMatch.PATH));
        }
        ServletRequestPathUtils.parseAndCache(http);
        TemplateAnswer answer = new TemplateAnswer(
                202, new TextTemplate("{}", Set.of()), new TextTemplate("/v1/operations?key={key}", Set.of()), within);
        Operation operation =
                Operation.of(new IdempotencyKey("north", "k/1"), new Scope("http.intake"), ExecutionPolicy.defaults());
        AtomicReference<HttpHeaders> headers = new AtomicReference<>();
        try (InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
                IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            var unused = executor.execute(operation, context -> {
                headers.set(answer.handle(IntakeRequest.of(ServerRequest.create(http, List.of())))
                        .headers());
                return new WorkResult.Complete<>(0, StoredResult.NONE);
            });
        }
        return Objects.requireNonNull(headers.get()).getFirst(HttpHeaders.LOCATION);
    }
}
