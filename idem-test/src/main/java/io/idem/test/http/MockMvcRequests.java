package io.idem.test.http;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;

import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import java.util.function.Supplier;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/**
 * Sends requests through the application's {@code MockMvc}, whose filters must include idem's, as that of
 * {@code @AutoConfigureMockMvc} does. A repeated request with another body is another request with the same key.
 * Thread-safe.
 */
public final class MockMvcRequests {

    private static final String KEY = "Idempotency-Key";

    private final TestIdempotency idempotency;
    private final Supplier<MockMvc> mvc;

    /**
     * Creates the requests of an application; {@link io.idem.test.spring.IdempotencyTest} does so for tests.
     *
     * @param mvc obtained for each request
     */
    public MockMvcRequests(TestIdempotency idempotency, Supplier<MockMvc> mvc) {
        this.idempotency = idempotency;
        this.mvc = mvc;
    }

    /** Returns a rehearsal of a POST of JSON under an idempotency key. */
    public Rehearsal<MockHttpServletResponse> post(String path, String key, String json) {
        return request(MockMvcRequestBuilders.post(path)
                .header(KEY, key)
                .contentType(MediaType.APPLICATION_JSON)
                .content(json));
    }

    /** Returns a rehearsal of any request, with its key in a header {@code Idempotency-Key}; built anew each time. */
    public Rehearsal<MockHttpServletResponse> request(RequestBuilder request) {
        return idempotency.rehearse(() -> answer(request));
    }

    private MockHttpServletResponse answer(RequestBuilder request) throws Exception {
        MvcResult result = mvc.get().perform(request).andReturn();
        if (result.getRequest().isAsyncStarted()) {
            result = mvc.get().perform(asyncDispatch(result)).andReturn();
        }
        return result.getResponse();
    }
}
