package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import io.idem.http.contract.SecurityContract;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** H-09, H-13: the filter runs behind Spring Security, and whose key it is comes from there. */
@AppTest(
        value = ReactiveSecurityTest.Secured.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "spring.webflux.hiddenmethod.filter.enabled=true",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/annotated/**"
        })
class ReactiveSecurityTest extends SecurityContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ReactiveSecurityTest(App app) {
        super(app);
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void aHandlerFindsItsPrincipalInReactorsContext() {
        assertThat(asAlice("/orders/mine").body()).isEqualTo("alice");
    }

    /** It answers before the filter; what it refuses may be allowed to the same request later. */
    @Test
    void aRefusalOfAnAuthorizationRuleIsSpringSecuritysAndFreesTheKey() {
        assertThat(asAlice("/orders/denied").status()).isEqualTo(403);

        assertThat(asAlice("/orders/denied").replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    /** As the filter of hidden methods does, and Spring Security's against forged requests. */
    @Test
    void aFormThatAFilterReadBeforeReachesItsHandlerAndIsReplayed() {
        Answer first = client.send(aliceForm("item=book&note=one"));
        Answer second = client.send(aliceForm("item=book&note=one"));

        assertThat(first.body()).isEqualTo("book/one/1");
        assertThat(second.replayed()).isTrue();
        assertThat(client.send(aliceForm("item=book&note=two")).status()).isEqualTo(422);
    }

    private HttpRequest.Builder aliceForm(String form) {
        return client.request("/orders/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .header("Authorization", basic("alice"))
                .POST(BodyPublishers.ofString(form));
    }

    private Answer asAlice(String path) {
        return client.post(path, key, request -> request.header("Authorization", basic("alice")));
    }

    @RestController
    static class Own {

        private final Runs runs;

        Own(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/orders/mine")
        Mono<String> mine() {
            return ReactiveSecurityContextHolder.getContext()
                    .map(context ->
                            Objects.requireNonNull(context.getAuthentication()).getName());
        }

        @PostMapping("/orders/denied")
        Mono<String> denied(@RequestHeader(Client.KEY) String withKey) {
            return ReactiveShop.run(runs, withKey, run -> {
                throw new AccessDeniedException("ordered by a test");
            });
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({
        ReactiveShop.Orders.class,
        ReactiveShop.Annotated.class,
        ReactiveShop.Parts.class,
        ReactiveSecurityTest.Own.class
    })
    static class Secured {

        @Bean
        SecurityWebFilterChain secured(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .anonymous(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .authorizeExchange(requests -> requests.pathMatchers("/idem/problems.html", "/annotated/**")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("alice").password("{noop}secret").build(),
                    User.withUsername("bob").password("{noop}secret").build());
        }
    }
}
