package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.LedgerOutbox;
import io.idem.http.contract.Runs;
import io.idem.http.internal.admission.WaitingRoom;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** What a handler finds that runs for a request that has waited: all that it would have found in the first dispatch. */
@AppTest(
        value = ResumedRequestTest.Surrounded.class,
        settings = {
            "idem.http.routes[0].path=/patient/**",
            "idem.http.routes[0].wait-for=20s",
            "idem.http.routes[1].path=/boxed/**",
            "idem.http.routes[1].wait-for=20s",
            "idem.http.routes[1].inbox=true",
            "idem.http.routes[2].path=/functional/**",
            "idem.http.routes[2].wait-for=20s"
        })
class ResumedRequestTest {

    private final Client client;
    private final Runs runs;
    private final WaitingRoom room;
    private final String key = Client.newKey();

    ResumedRequestTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.room = app.bean(WaitingRoom.class);
    }

    private CompletableFuture<Answer> second(String path) {
        runs.shut(key);
        CompletableFuture<Answer> first = send(path);
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<Answer> second = send(path);
        await().until(() -> room.waiting() == 1);
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(503);
        return second;
    }

    private CompletableFuture<Answer> send(String path) {
        return client.sendAsync(client.request(path)
                .header(Client.KEY, key)
                .header("X-Token", "alice")
                .header("X-Request", "seven")
                .POST(BodyPublishers.ofString("{}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/patient/pay", "/boxed/pay", "/functional/pay"})
    void theHandlerHasItsCallerItsLogContextAndTheFiltersInFrontAndBehind(String path) {
        Answer answer = second(path).join();

        assertThat(answer.body()).isEqualTo("run 2 for alice, request seven, filtered, protected true");
        assertThat(answer.header("X-Behind")).isEqualTo("once");
        assertThat(answer.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(2);
        assertThat(send(path).join().replayed()).isTrue();
    }

    @Test
    void theErrorPageOfARequestThatHasWaitedIsRecorded() {
        Answer answer = second("/patient/error").join();

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body()).contains("\"status\":422");
        Answer replay = send("/patient/error").join();
        assertThat(replay.replayed()).isTrue();
        assertThat(replay.body()).isEqualTo(answer.body());
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Handlers.class, Shop.Parts.class, InFront.class, Behind.class})
    static class Surrounded {

        @Bean
        LedgerOutbox outbox() {
            return new LedgerOutbox();
        }

        @Bean
        RouterFunction<ServerResponse> functions(Handlers handlers) {
            return RouterFunctions.route()
                    .POST("/functional/pay", request -> {
                        ResponseEntity<String> answer = handlers.pay(
                                String.valueOf(request.headers().firstHeader(Client.KEY)),
                                request.principal().orElseThrow(),
                                String.valueOf(request.attribute("behind").orElse(null)));
                        return ServerResponse.status(answer.getStatusCode()).body(String.valueOf(answer.getBody()));
                    })
                    .build();
        }

        /** As many applications do, the filter tells nobody but the holder of the present dispatch. */
        @Bean
        SecurityFilterChain secured(HttpSecurity http) throws Exception {
            return http.csrf(CsrfConfigurer::disable)
                    .addFilterBefore(new Tokens(), AnonymousAuthenticationFilter.class)
                    .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }

    private static final class Tokens extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            SecurityContextHolder.getContext()
                    .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                            request.getHeader("X-Token"), "", AuthorityUtils.NO_AUTHORITIES));
            chain.doFilter(request, response);
        }
    }

    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class InFront extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            MDC.put("request", request.getHeader("X-Request"));
            try {
                chain.doFilter(request, response);
            } finally {
                MDC.remove("request");
            }
        }
    }

    static class Behind extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            request.setAttribute("behind", "filtered");
            response.addHeader("X-Behind", "once");
            chain.doFilter(request, response);
        }
    }

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping({"/patient/pay", "/boxed/pay"})
        ResponseEntity<String> pay(
                @RequestHeader(Client.KEY) String key,
                Principal caller,
                @RequestAttribute(name = "behind", required = false) @Nullable String behind) {
            int run = runs.enter(key);
            if (run == 1) {
                return ResponseEntity.status(503).build();
            }
            return ResponseEntity.ok(
                    "run " + run + " for " + caller.getName() + ", request " + MDC.get("request") + ", " + behind
                            + ", protected " + IdempotencyContext.current().isPresent());
        }

        @PostMapping("/patient/error")
        void error(@RequestHeader(Client.KEY) String key, HttpServletResponse response) throws IOException {
            response.sendError(runs.enter(key) == 1 ? 503 : 422);
        }
    }
}
