package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Runs;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** An application whose error page is asynchronous itself, or fails. */
@AppTest(
        value = AsyncErrorPageTest.Failing.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/orders/**"})
class AsyncErrorPageTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    AsyncErrorPageTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @RepeatedTest(8)
    void theKeyIsSettledBehindThePage() {
        assertThat(client.post("/orders/later", key).status()).isEqualTo(402);

        await().untilAsserted(() ->
                assertThat(client.post("/orders/later", key).replayed()).isTrue());
    }

    /** A servlet that completes its asynchronous work has done it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void workThatCompletedIsNotDoneAgainIfItsPageFails(boolean atOnce) {
        client.post("/orders/raw?throw", key, request -> request.header("X-At-Once", String.valueOf(atOnce)));

        await().untilAsserted(() ->
                assertThat(client.post("/orders/raw?throw", key).body()).contains("urn:idem:problem:answer-not-kept"));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @RestController
    static class Orders implements ErrorController {

        @PostMapping("/orders/later")
        CompletableFuture<String> later() {
            return CompletableFuture.supplyAsync(() -> {
                throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED);
            });
        }

        @RequestMapping(path = "/error", params = "throw")
        String brokenPage() {
            throw new IllegalStateException("ordered by a test");
        }

        @RequestMapping("/error")
        Callable<String> page() {
            return () -> "page";
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Orders.class})
    static class Failing {

        @Bean
        ServletRegistrationBean<HttpServlet> raw(Runs runs) {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response) {
                    runs.enter(request.getHeader(Client.KEY));
                    AsyncContext async = request.startAsync();
                    if (Boolean.parseBoolean(request.getHeader("X-At-Once"))) {
                        end(async);
                    } else {
                        async.start(() -> end(async));
                    }
                }
            };
            ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(servlet, "/orders/raw");
            registration.setAsyncSupported(true);
            return registration;
        }

        private static void end(AsyncContext async) {
            try {
                ((HttpServletResponse) async.getResponse()).sendError(404);
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
            async.complete();
        }
    }
}
