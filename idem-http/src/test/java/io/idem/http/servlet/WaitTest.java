package io.idem.http.servlet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.WaitContract;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

@AppTest(
        value = WaitTest.Patient.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-waiting=50",
            "idem.http.routes[0].path=/patient/**",
            "idem.http.routes[0].wait-for=20s",
            "idem.http.routes[1].path=/hasty/**",
            "idem.http.routes[1].wait-for=300ms",
            "idem.http.routes[2].path=/unavailable/**",
            "idem.http.routes[2].in-progress-status=503",
            "server.tomcat.threads.max=2"
        })
class WaitTest extends WaitContract {

    WaitTest(App app) {
        super(app);
    }

    /** Both threads of the server would be held, one by the running request. */
    @Test
    void otherRequestsAreServedWhileMoreRequestsWaitThanTheServerHasThreads() {
        CompletableFuture<Answer> first = running("/patient/run");
        List<CompletableFuture<Answer>> waiting = waiting("/patient/run", 50);

        assertThat(client.post("/patient/run", Client.newKey()).body()).isEqualTo("run 1 of {}");

        assertThat(first).isNotDone();
        runs.open(key);
        assertThat(waiting)
                .allSatisfy(each -> assertThat(each.join().replayed()).isTrue());
    }

    @Test
    void theErrorPageOfARequestThatHasWaitedIsReplayedByteForByte() {
        CompletableFuture<Answer> first = running("/patient/error");
        CompletableFuture<Answer> second = waiting("/patient/error", 1).get(0);
        runs.open(key);

        assertThat(first.join().status()).isEqualTo(503);
        assertThat(second.join().body()).contains("\"status\":422");
        assertThat(client.post("/patient/error", key).bytes())
                .isEqualTo(second.join().bytes());
    }

    @Test
    void aDuplicateOnMockMvcWaitsOnItsThread() throws Exception {
        WebApplicationContext context = app.bean(Own.class).context();
        @SuppressWarnings("unchecked")
        FilterRegistrationBean<IdempotencyServletFilter> registration =
                context.getBean("idemFilterRegistration", FilterRegistrationBean.class);
        DefaultMockMvcBuilder builder = MockMvcBuilders.webAppContextSetup(context);
        MockMvc mvc =
                builder.addFilters(requireNonNull(registration.getFilter())).build();
        CompletableFuture<Answer> first = running("/patient/run");
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> body(mvc));
        await().until(() -> room.waiting() == 1);
        runs.open(key);

        assertThat(second.join()).isEqualTo(first.join().body());
    }

    private String body(MockMvc mvc) {
        try {
            return mvc.perform(MockMvcRequestBuilders.post("/patient/run")
                            .header(Client.KEY, key)
                            .contentType("application/json")
                            .content("{}"))
                    .andReturn()
                    .getResponse()
                    .getContentAsString();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({PatientHandlers.class, Shop.Open.class, Shop.Parts.class, Own.class})
    static class Patient {}

    record Own(WebApplicationContext context) {}
}
