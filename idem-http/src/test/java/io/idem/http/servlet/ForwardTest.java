package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.error.ErrorPage;
import org.springframework.boot.web.error.ErrorPageRegistrar;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Handlers that leave their answer to another resource: since Tomcat 11, the response is closed when a forward returns. */
@AppTest(
        value = ForwardTest.Forwarding.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/plain/**",
            "idem.http.routes[1].path=/mvc/**",
            "server.http2.enabled=true",
            "spring.mvc.view.prefix=/pages/",
            "spring.mvc.view.suffix=.jsp"
        })
class ForwardTest {

    private final App app;
    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    ForwardTest(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mvc/forward",
                "/mvc/view",
                "/mvc/later",
                "/function/view",
                "/plain/forward",
                "/plain/named",
                "/plain/twice",
                "/plain/include"
            })
    void theAnswerOfTheOtherResourceReachesItsClientAndIsReplayed(String path) {
        Answer first = client.post(path, key);
        Answer second = client.post(path, key);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("page of run 1");
        assertThat(first.header("Content-Type")).isEqualTo("text/plain;charset=UTF-8");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    /**
     * A filter in front, also one that found no handler, a handler, and a filter that goes on asynchronously give the
     * request to a protected route.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/latest", "/fallback", "/open", "/open/later", "/dispatched", "/failing"})
    void aRouteIsProtectedWhereItIsReachedByAForwardOnly(String from) {
        for (String path : List.of("/mvc/forward", "/mvc/later", "/function/view", "/plain/forward", "/plain/alone")) {
            String once = Client.newKey();
            Answer first = client.post(from + path, once);
            Answer second = client.post(from + path, once);

            assertThat(first.body()).as(path).isEqualTo("page of run 1");
            assertThat(second.replayed()).as(path).isTrue();
            assertThat(second.bytes()).as(path).isEqualTo(first.bytes());
            assertThat(client.post(from + path, "").status()).as(path).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/latest", "/open", "/open/later", "/dispatched"})
    void thePathCountsThatWasSentAndNotOnlyThatOfTheRoute(String from) {
        client.post(from + "/plain/alone", key);

        for (String other : List.of("", "/latest", "/open", "/open/later", "/dispatched")) {
            assertThat(client.post(other + "/plain/alone", key).status())
                    .as(other)
                    .isEqualTo(other.equals(from) ? 200 : 422);
        }
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void theQueryCountsThatWasSentAndNotOnlyThatOfTheForward() {
        client.post("/open/plain/alone?amount=1&target=2", key);

        assertThat(client.post("/open/plain/alone?amount=1&target=2", key).replayed())
                .isTrue();
        assertThat(client.post("/open/plain/alone?amount=2&target=2", key).status())
                .isEqualTo(422);
        assertThat(client.post("/open/plain/alone?amount=1&target=3", key).status())
                .isEqualTo(422);
    }

    /** Two such bodies would count as one, which is none. */
    @ParameterizedTest
    @CsvSource({
        "application/json, /latest/plain/alone, false",
        "application/json, /latest/plain/alone, true",
        "application/json, /plain/alone, true",
        "multipart/mixed;boundary=x, /latest/plain/alone, false",
        "application/x-www-form-urlencoded, /latest/plain/alone?amount=1, false"
    })
    @ExtendWith(OutputCaptureExtension.class)
    void aBodyThatWasReadBeforeTheForwardIsNotTakenForNone(
            String type, String path, boolean chunked, CapturedOutput output) {
        Answer refused = client.send(client.request(path)
                .setHeader("Content-Type", type)
                .header("X-Read", "before")
                .header(Client.KEY, key)
                .POST(
                        chunked
                                ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[] {'1'}))
                                : BodyPublishers.ofString("a=1")));

        assertThat(refused.status()).isEqualTo(500);
        assertThat(runs.of(key)).isZero();
        assertThat(output).contains("protect the path that was sent");
    }

    /** Over HTTP/2 a body may come without a length, and without a header that tells of it. */
    @ParameterizedTest
    @CsvSource({
        "/latest/plain/alone, application/json, 1",
        "/open/read/plain/alone, application/json, 1",
        "/latest/plain/alone, application/x-www-form-urlencoded, a=1",
        "/dispatched/plain/alone, application/json, 1",
        "/plain/alone, application/json, 1"
    })
    void aBodyOfHttp2WithoutLengthThatWasReadIsNotTakenForNone(String path, String type, String body)
            throws IOException, InterruptedException {
        assertThat(http2(path, withoutLength(body), "X-Read", type)).isEqualTo(500);
        assertThat(runs.of(key)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/latest/plain/alone", "/open/plain/alone", "/dispatched/plain/alone", "/plain/alone"})
    void aBodyOfHttp2WithoutLengthCounts(String path) throws IOException, InterruptedException {
        for (String body : List.of("1", "2", "")) {
            assertThat(http2(path, withoutLength(body), "X-Left", "application/json"))
                    .as(body)
                    .isEqualTo(body.equals("1") ? 200 : 422);
        }
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/latest/plain/alone", "/open/plain/alone", "/dispatched/plain/alone", "/plain/alone"})
    void aRequestOfHttp2WithoutBodyIsProtectedBehindAForward(String path) throws IOException, InterruptedException {
        assertThat(http2(path, BodyPublishers.noBody(), "X-Left", "application/json"))
                .isEqualTo(200);
        assertThat(http2(path, BodyPublishers.noBody(), "X-Left", "application/json"))
                .isEqualTo(200);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    private static BodyPublisher withoutLength(String body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    private int http2(String path, BodyPublisher body, String read, String type)
            throws IOException, InterruptedException {
        HttpClient http2 =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        var unused = http2.send(
                HttpRequest.newBuilder(app.uri("/idem/problems.html")).build(), BodyHandlers.discarding());
        HttpResponse<Void> answer = http2.send(
                client.request(path)
                        .setHeader("Content-Type", type)
                        .header(read, "before")
                        .header(Client.KEY, key)
                        .POST(body)
                        .build(),
                BodyHandlers.discarding());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        return answer.statusCode();
    }

    @Test
    void aFormThatWasTakenApartBeforeTheForwardCountsByItsFields() {
        assertThat(form("a=1").body()).isEqualTo("page of run 1");
        assertThat(form("a=1").replayed()).isTrue();
        assertThat(form("a=2").status()).isEqualTo(422);
    }

    private Answer form(String fields) {
        return client.send(client.request("/open/form/plain/alone?b=1")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString(fields)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mvc/forward", "/mvc/view", "/plain/forward", "/plain/named", "/plain/include"})
    void nothingOfItLeavesBeforeItIsRecorded(String path) {
        store.silentOnComplete(true);
        Answer answer = client.post(path, key);
        store.silentOnComplete(false);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains("urn:idem:problem:outcome-unrecorded")
                .doesNotContain("page");
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    }

    @Test
    void bytesKeepTheirContentType() {
        Answer first = client.post("/plain/bytes", key);

        assertThat(first.bytes()).containsExactly(1, 2, 3);
        assertThat(first.header("Content-Type")).isEqualTo("image/png");
        assertThat(client.post("/plain/bytes", key).bytes()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain/tail", "/plain/tail-of-bytes"})
    void whatIsWrittenAfterAForwardIsIgnoredAsByTheContainer(String path) {
        assertThat(client.post(path, key).body()).isEqualTo("page of run 1");
        assertThat(client.post(path, key).body()).isEqualTo("page of run 1");
    }

    /** An included resource changes neither status nor headers. */
    @ParameterizedTest
    @ValueSource(strings = {"error", "redirect", "reset", "length"})
    void anIncludedResourceAddsToTheBodyOnly(String what) {
        Answer first = client.post("/plain/include-of-" + what, key);
        Answer second = client.post("/plain/include-of-" + what, key);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("before, after run 1");
        assertThat(first.header("Location")).isEmpty();
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/latest", "/open", "/open/later", "/dispatched", "/failing"})
    void anErrorPageThatForwardsReachesItsClientAndIsReplayed(String from) {
        Answer first = client.post(from + "/plain/error", key);
        Answer second = client.post(from + "/plain/error", key);

        assertThat(first.status()).isEqualTo(404);
        assertThat(first.body()).isEqualTo("page of run 1");
        assertThat(second.status()).isEqualTo(404);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void anErrorOfTheOtherResourceIsAnsweredAndReplayed() {
        Answer first = client.post("/plain/forward-to-error", key);
        Answer second = client.post("/plain/forward-to-error", key);

        assertThat(first.status()).isEqualTo(404);
        assertThat(first.body()).isEqualTo("page of run 1");
        assertThat(second.status()).isEqualTo(404);
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @Controller
    static class Pages {

        private final Runs runs;

        Pages(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/mvc/forward")
        String forward(HttpServletRequest request) {
            enter(runs, request);
            return "forward:/pages/plain.jsp";
        }

        @PostMapping("/mvc/view")
        String view(HttpServletRequest request) {
            enter(runs, request);
            return "plain";
        }

        @PostMapping("/mvc/later")
        Callable<String> later(HttpServletRequest request) {
            return () -> {
                enter(runs, request);
                return "plain";
            };
        }

        @PostMapping("/open/{*path}")
        String open(@PathVariable String path) {
            return "forward:" + path;
        }

        @PostMapping(path = "/open/{*path}", params = "target")
        String open(@PathVariable String path, @RequestParam int target) {
            return "forward:" + path + "?by=" + target;
        }

        @PostMapping("/open/read/{*path}")
        String read(@PathVariable String path, @RequestBody String body) {
            return "forward:" + path;
        }

        @PostMapping("/open/form/{*path}")
        String form(@PathVariable String path, @RequestParam int a) {
            return "forward:" + path;
        }

        @PostMapping("/failing/{*path}")
        String failing(@PathVariable String path) {
            throw new IllegalArgumentException(path);
        }

        @ExceptionHandler
        String failed(IllegalArgumentException failure) {
            return "forward:" + failure.getMessage();
        }

        @PostMapping("/open/later/{*path}")
        Callable<String> openLater(@PathVariable String path) {
            return () -> "forward:" + path;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Pages.class})
    static class Forwarding {

        private static final String PAGE = "/pages/plain.jsp";

        @Bean
        IdempotentRoute functionalRoute() {
            return IdempotentRoute.post("/function/**");
        }

        @Bean
        RouterFunction<ServerResponse> functions(Runs runs) {
            return RouterFunctions.route()
                    .POST("/function/view", request -> {
                        enter(runs, request.servletRequest());
                        return ServerResponse.ok().render("plain");
                    })
                    .build();
        }

        /** Gives requests to handlers of other paths, in front of every other filter. */
        @Bean
        FilterRegistrationBean<Filter> latest() {
            FilterRegistrationBean<Filter> latest = new FilterRegistrationBean<>((request, response, chain) -> {
                HttpServletRequest sent = (HttpServletRequest) request;
                String target = sent.getRequestURI().replaceFirst("/\\w+", "");
                if (sent.getHeader("X-Read") != null) {
                    sent.getInputStream().readAllBytes();
                }
                if (sent.getRequestURI().startsWith("/plain")) {
                    chain.doFilter(request, response);
                } else if (sent.getRequestURI().startsWith("/fallback")) {
                    chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                        @Override
                        public void sendError(int status) {}

                        @Override
                        public void sendError(int status, String message) {}
                    });
                    dispatcher(sent, target).forward(request, response);
                } else if (sent.getRequestURI().startsWith("/latest")) {
                    dispatcher(sent, target).forward(request, response);
                } else {
                    request.startAsync().dispatch(target);
                }
            });
            latest.addUrlPatterns("/latest/*", "/fallback/*", "/dispatched/*", "/plain/alone");
            latest.setOrder(-200);
            return latest;
        }

        /** As the code that a JSP is compiled to. */
        @Bean
        ServletRegistrationBean<HttpServlet> jsp() {
            return servlet("jsp", "*.jsp", (request, response) -> {
                response.setContentType("text/plain;charset=UTF-8");
                response.getWriter().write("page of run " + request.getAttribute("run"));
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> bytes() {
            return servlet("bytes", "/pages/bytes", (request, response) -> {
                response.setContentType("image/png");
                response.getOutputStream().write(new byte[] {1, 2, 3});
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> text() {
            return servlet(
                    "text",
                    "/pages/text",
                    (request, response) ->
                            response.getOutputStream().print("page of run " + request.getAttribute("run")));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> error() {
            return servlet("erring", "/pages/error", (request, response) -> response.sendError(404));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> redirect() {
            return servlet("redirect", "/pages/redirect", (request, response) -> response.sendRedirect("/elsewhere"));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> reset() {
            return servlet("reset", "/pages/reset", (request, response) -> {
                response.setStatus(201);
                response.setHeader("Location", "/elsewhere");
                response.reset();
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> length() {
            return servlet("length", "/pages/length", (request, response) -> {
                response.setContentLength(1);
                response.setHeader("Content-Length", "2");
            });
        }

        @Bean
        ServletRegistrationBean<HttpServlet> twice() {
            return servlet(
                    "twice",
                    "/pages/twice",
                    (request, response) -> dispatcher(request, PAGE).forward(request, response));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> plain(Runs runs) {
            ServletRegistrationBean<HttpServlet> plain = servlet("plain", "/plain/forward", (request, response) -> {
                enter(runs, request);
                String what = request.getRequestURI().substring("/plain/".length());
                switch (what) {
                    case "forward" -> {
                        response.setContentType("text/plain;charset=UTF-8");
                        response.getWriter().write("dropped");
                        dispatcher(request, PAGE).forward(request, response);
                    }
                    case "named" ->
                        Objects.requireNonNull(request.getServletContext().getNamedDispatcher("jsp"))
                                .forward(request, response);
                    case "twice" -> dispatcher(request, "/pages/twice").forward(request, response);
                    case "bytes" -> dispatcher(request, "/pages/bytes").forward(request, response);
                    case "forward-to-error" ->
                        dispatcher(request, "/pages/error").forward(request, response);
                    case "include" -> {
                        response.setContentType("text/plain;charset=UTF-8");
                        dispatcher(request, PAGE).include(request, response);
                    }
                    case "tail" -> {
                        dispatcher(request, PAGE).forward(request, response);
                        response.getWriter().write(", tail");
                    }
                    case "tail-of-bytes" -> {
                        dispatcher(request, "/pages/text").forward(request, response);
                        response.getOutputStream().write(", tail".getBytes(StandardCharsets.US_ASCII));
                    }
                    case "error" -> response.sendError(404);
                    case "alone" -> response.getWriter().write("page of run " + request.getAttribute("run"));
                    default -> {
                        response.getWriter().write("before");
                        dispatcher(request, what.replace("include-of-", "/pages/"))
                                .include(request, response);
                        response.getWriter().write(", after run " + request.getAttribute("run"));
                    }
                }
            });
            Stream.of(
                            "named",
                            "twice",
                            "bytes",
                            "forward-to-error",
                            "include",
                            "tail",
                            "tail-of-bytes",
                            "error",
                            "alone")
                    .forEach(what -> plain.addUrlMappings("/plain/" + what));
            Stream.of("error", "redirect", "reset", "length")
                    .forEach(what -> plain.addUrlMappings("/plain/include-of-" + what));
            return plain;
        }

        @Bean
        ErrorPageRegistrar notFoundPage() {
            return pages -> pages.addErrorPages(new ErrorPage(HttpStatus.NOT_FOUND, "/pages/twice"));
        }

        private static RequestDispatcher dispatcher(HttpServletRequest request, String path) {
            return Objects.requireNonNull(request.getRequestDispatcher(path));
        }

        private static ServletRegistrationBean<HttpServlet> servlet(String name, String path, Handler handler) {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response)
                        throws ServletException, IOException {
                    handler.handle(request, response);
                }
            };
            ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(servlet, path);
            registration.setName(name);
            return registration;
        }

        private interface Handler {
            void handle(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
        }
    }

    private static void enter(Runs runs, HttpServletRequest request) {
        request.setAttribute("run", runs.enter(request.getHeader(Client.KEY)));
    }
}
