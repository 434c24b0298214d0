package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.RawConnection;
import io.idem.http.contract.Runs;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Servlets that use the container's own means, in an application without error page. */
@AppTest(
        value = RawServletTest.Raw.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/**"})
class RawServletTest {

    private final App app;
    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    RawServletTest(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    /** H-01: no dispatch follows, so what was held must leave before the end. */
    @Test
    void workThatCompletesItsAsyncContextIsAnsweredAndReplayed() {
        Answer first = client.post("/complete", key);
        Answer second = client.post("/complete", key);

        assertThat(first.body()).isEqualTo("completed 1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @Test
    void workThatDispatchesElsewhereIsAnsweredAndReplayed() {
        Answer first = client.post("/dispatch", key);
        Answer second = client.post("/dispatch", key);

        assertThat(first.body()).isEqualTo("body {}, run 1");
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.replayed()).isTrue();
    }

    /** The container has one writer, whatever is cleared. */
    @ParameterizedTest
    @ValueSource(strings = {"/cleared", "/reset"})
    void aWriterThatIsKeptWhenTheBodyIsClearedGoesOnToAnswer(String path) {
        Answer first = client.post(path, key);
        Answer second = client.post(path, key);

        assertThat(first.body()).isEqualTo("answer");
        assertThat(second.replayed()).isTrue();
        assertThat(second.body()).isEqualTo("answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/error404", "/dispatch-error"})
    void anErrorWithoutErrorPageDoesNotLeaveTheKeyInProgress(String path) {
        assertThat(client.post(path, key).status()).isEqualTo(404);

        Answer second = client.post(path, key);

        assertThat(second.status()).isEqualTo(404);
        assertThat(second.replayed()).isTrue();
        assertThat(second.header("Idempotency-Body-Omitted")).isEqualTo("true");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aRedirectOfAFilterIsNotTheAnswerOfTheServletBehind() {
        Answer login = client.post("/cleared", key, request -> request.header("X-Anonymous", "yes"));
        Answer answer = client.post("/cleared", key);

        assertThat(login.status()).isEqualTo(302);
        assertThat(answer.body()).isEqualTo("answer");
        assertThat(answer.replayed()).isFalse();
    }

    @Test
    void asynchronousWorkThatTimesOutDoesNotLeaveTheKeyInProgressForEver() {
        assertThat(client.post("/timeout", key).status()).isEqualTo(500);

        Answer second = client.post("/timeout", key);

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.header("Retry-After")).isNotEmpty();
    }

    /** Listeners are told of the container's own context; what they wrote must leave before its end too. */
    @Test
    void aListenerThatAnswersAtTheTimeoutIsHeardAndReplayed() {
        Answer first = client.post("/late", key);
        Answer second = client.post("/late", key);

        assertThat(first.body()).isEqualTo("late 1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    /** H-06: here nobody but the filter handles the exception of the broken connection. */
    @Test
    void theRetryOfAClientThatHungUpInAStreamIsAReplay() throws IOException {
        runs.shut(key);
        try (RawConnection connection = new RawConnection(app)) {
            connection.send(
                    "POST /stream HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: " + key + "\r\nContent-Length: 0\r\n\r\n");
            await().until(() -> runs.of(key) == 1);
            connection.reset();
        }
        runs.open(key);

        await().untilAsserted(() -> assertThat(client.send(client.request("/stream")
                                .header(Client.KEY, key)
                                .POST(BodyPublishers.noBody()))
                        .replayed())
                .isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration(exclude = ErrorMvcAutoConfiguration.class)
    @Import({Shop.Open.class, Shop.Parts.class})
    static class Raw {

        @Bean
        Filter login() {
            return (request, response, chain) -> {
                if (((HttpServletRequest) request).getHeader("X-Anonymous") == null) {
                    chain.doFilter(request, response);
                } else {
                    ((HttpServletResponse) response).sendRedirect("/login");
                }
            };
        }

        @Bean
        ServletRegistrationBean<HttpServlet> complete(Runs runs) {
            return asynchronous("/complete", (request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    write(async, "completed " + runs.enter(request.getHeader(Client.KEY)));
                    async.complete();
                });
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> dispatch(Runs runs) {
            return asynchronous("/dispatch", (request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/target"));
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> target(Runs runs) {
            return asynchronous(
                    "/target",
                    (request, response) -> response.getOutputStream()
                            .print("body " + request.getReader().readLine() + ", run "
                                    + runs.enter(request.getHeader(Client.KEY))));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> error(Runs runs) {
            return asynchronous("/error404", (request, response) -> {
                runs.enter(request.getHeader(Client.KEY));
                response.sendError(404);
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> dispatchToError() {
            return asynchronous("/dispatch-error", (request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/error404"));
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> cleared() {
            return asynchronous("/cleared", (request, response) -> {
                PrintWriter kept = response.getWriter();
                kept.print("draft");
                response.resetBuffer();
                kept.print("ans");
                response.getWriter().print("wer");
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> reset() {
            return asynchronous("/reset", (request, response) -> {
                PrintWriter kept = response.getWriter();
                kept.print("draft");
                response.reset();
                kept.print("answer");
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> stream(Runs runs) {
            return asynchronous("/stream", (request, response) -> {
                runs.enter(request.getHeader(Client.KEY));
                for (int megabytes = 0; megabytes < 50; megabytes++) {
                    response.getOutputStream().write(new byte[1 << 20]);
                }
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> timeout() {
            return asynchronous(
                    "/timeout", (request, response) -> request.startAsync().setTimeout(50));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> late(Runs runs) {
            return asynchronous("/late", (request, response) -> {
                AsyncContext async = request.startAsync();
                async.setTimeout(50);
                async.addListener(new Late(runs, request.getHeader(Client.KEY)));
            });
        }

        /** As textbooks have it. */
        private record Late(Runs runs, String key) implements AsyncListener {

            @Override
            public void onTimeout(AsyncEvent event) {
                write(event.getAsyncContext(), "late " + runs.enter(key));
                event.getAsyncContext().complete();
            }

            @Override
            public void onComplete(AsyncEvent event) {}

            @Override
            public void onError(AsyncEvent event) {}

            @Override
            public void onStartAsync(AsyncEvent event) {}
        }

        private static void write(AsyncContext async, String text) {
            try {
                async.getResponse().getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }

        private static ServletRegistrationBean<HttpServlet> asynchronous(String path, Handler handler) {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    handler.handle(request, response);
                }
            };
            ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(servlet, path);
            registration.setName(path.substring(1));
            registration.setAsyncSupported(true);
            return registration;
        }

        private interface Handler {
            void handle(HttpServletRequest request, HttpServletResponse response) throws IOException;
        }
    }
}
