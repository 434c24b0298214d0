package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.internal.method.MethodConfigurationException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.service.annotation.PostExchange;

/** The annotation on a handler and on the service that it calls: each is guarded once. */
@AppTest(
        value = MethodsBesideHandlersTest.Billing.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.scope=http.bills"})
class MethodsBesideHandlersTest {

    private final App app;
    private final Client client;

    MethodsBesideHandlersTest(App app) {
        this.app = app;
        this.client = new Client(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Bills.class, Invoices.class})
    static class Billing {}

    @RestController
    static class Bills {

        private final Invoices invoices;

        Bills(Invoices invoices) {
            this.invoices = invoices;
        }

        @PostMapping("/bills")
        @Idempotent
        String bill(@RequestBody String order) {
            return IdempotencyContext.current().orElseThrow().scope() + " > " + invoices.send(order);
        }
    }

    static class Invoices {

        private int sent;

        @Idempotent(scope = "invoices", key = "#order")
        String send(String order) {
            return IdempotencyContext.current().orElseThrow().scope() + " " + ++sent;
        }
    }

    @Test
    void handlersBelongToTheFilterAndServicesToTheirProxy() {
        Client.Answer first = client.post("/bills", Client.newKey(), "order-1");
        Client.Answer sameOrder = client.post("/bills", Client.newKey(), "order-1");
        Client.Answer otherOrder = client.post("/bills", Client.newKey(), "order-2");

        assertThat(first.body()).isEqualTo("http.bills > invoices 1");
        assertThat(sameOrder.body()).isEqualTo("http.bills > invoices 1");
        assertThat(sameOrder.replayed()).isFalse();
        assertThat(otherOrder.body()).isEqualTo("http.bills > invoices 2");
        assertThat(app.bean(Bills.class).getClass()).as("no proxy").isEqualTo(Bills.class);
        assertThat(app.bean(ScopeRegistry.class).participants()).containsOnlyKeys("http.bills", "invoices");
    }

    /** The interface of a controller elsewhere. */
    @Idempotent
    interface BillsElsewhere {

        @PostExchange("/bills")
        @Idempotent(required = false)
        String bill(String order);
    }

    private static ApplicationContextRunner without(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Plain.class)
                .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .withUserConfiguration(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    @Test
    void aClientOfHandlersElsewhereIsNotGuarded() {
        without()
                .withBean(BillsElsewhere.class, () -> (BillsElsewhere) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {BillsElsewhere.class},
                        (proxy, method, arguments) -> "of the proxy"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** A controller whose methods are called otherwise than by handlers of requests, such as by GraphQL queries. */
    @Controller
    @Idempotent
    static class WithoutHandlers {

        String place(String order) {
            return order;
        }
    }

    @Test
    void aControllerWithoutHandlersIsRefused() {
        without(WithoutHandlers.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("handlers of HTTP requests, of which it has none"));
    }

    static class Secret {

        @PreAuthorize("hasRole('CLERK')")
        @Idempotent(scope = "secret", key = "#id")
        String read(String id) {
            return "secret";
        }
    }

    @EnableMethodSecurity
    @EnableTransactionManagement
    static class UsualOrder {}

    @EnableMethodSecurity
    @EnableTransactionManagement(order = 0)
    static class TransactionsFirst {}

    @Test
    void callersOfDuplicatesAreAuthorizedToo() {
        without(UsualOrder.class, Secret.class).run(context -> {
            Secret secret = context.getBean(Secret.class);
            SecurityContextHolder.getContext()
                    .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                            "clerk", null, AuthorityUtils.createAuthorityList("ROLE_CLERK")));
            assertThat(secret.read("a")).isEqualTo("secret");
            SecurityContextHolder.getContext()
                    .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                            "guest", null, AuthorityUtils.createAuthorityList("ROLE_GUEST")));
            assertThatThrownBy(() -> secret.read("a")).isInstanceOf(AccessDeniedException.class);
            SecurityContextHolder.clearContext();
        });
        without(TransactionsFirst.class, Secret.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(MethodConfigurationException.class)
                        .hasMessageContaining("without asking whether their callers are authorized"));
    }
}
