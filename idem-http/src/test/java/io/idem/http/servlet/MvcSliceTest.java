package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that ask for the context can be called where a test starts MVC only. */
@WebMvcTest(MvcSliceTest.Payments.class)
class MvcSliceTest {

    private final MockMvcTester mvc;

    @Autowired
    MvcSliceTest(MockMvcTester mvc) {
        this.mvc = mvc;
    }

    @Test
    void parametersAreNullInASliceOfMvc() {
        assertThat(mvc.post().uri("/payments")).hasBodyTextEqualTo("null null");
    }

    @RestController
    static class Payments {

        @PostMapping("/payments")
        String pay(@Nullable IdempotencyKey key, @Nullable IdempotencyContext context) {
            return key + " " + context;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Application {}
}
