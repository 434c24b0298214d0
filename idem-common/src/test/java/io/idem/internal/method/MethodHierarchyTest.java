package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Idempotent;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;

/** Methods in a context of the hierarchy in which idem guards nothing are refused, with a remedy that works. */
class MethodHierarchyTest {

    static class Payments {

        private int runs;

        @Idempotent(scope = "hierarchy", key = "#id")
        void pay(String id) {
            runs++;
        }

        int runs() {
            return runs;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithIdem {

        @Bean
        IdempotencyStore idempotencyStore() {
            return new InMemoryIdempotencyStore();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Payments.class)
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    static class Undeclared {

        @Bean
        Object payments() {
            return new Payments();
        }
    }

    /** Makes proxies, for which Spring asks the parents for advisors. */
    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    @Import(Payments.class)
    static class WithProxies {}

    @Configuration(proxyBeanMethods = false)
    @Import({WithIdem.class, Payments.class})
    static class Cured {}

    private static SpringApplicationBuilder builder(Class<?> configuration) {
        return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE);
    }

    private static void assertRefused(ThrowingCallable start) {
        assertThatThrownBy(start)
                .isInstanceOf(MethodConfigurationException.class)
                .hasMessageContaining("@Idempotent Payments.pay is a bean of the context")
                .hasMessageContaining("Put @EnableAutoConfiguration on a configuration of that context");
    }

    @Test
    void aMethodInTheParentOfIdemIsRefused() {
        assertRefused(builder(Plain.class).child(WithIdem.class).web(WebApplicationType.NONE)::run);
    }

    @Test
    void aMethodInAGrandchildIsRefused() {
        try (ConfigurableApplicationContext parent = builder(WithIdem.class).run();
                AnnotationConfigApplicationContext middle = child(parent, MethodHierarchyTest.class)) {
            middle.refresh();

            assertRefused(child(middle, Undeclared.class)::refresh);
        }
    }

    private static AnnotationConfigApplicationContext child(ConfigurableApplicationContext parent, Class<?> type) {
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
        child.setParent(parent);
        child.register(type);
        return child;
    }

    @Test
    void aMethodThatTheParentGuardsInAChildIsNotRefused() {
        assertGuarded(builder(WithIdem.class).child(WithProxies.class));
    }

    @Test
    void autoConfigurationInTheContextOfTheMethodGuardsIt() {
        assertGuarded(builder(Cured.class).child(WithIdem.class));
    }

    private static void assertGuarded(SpringApplicationBuilder start) {
        try (ConfigurableApplicationContext child =
                start.web(WebApplicationType.NONE).run()) {
            Payments payments = child.getBean(Payments.class);
            payments.pay("once");
            payments.pay("once");

            assertThat(payments.runs()).isEqualTo(1);
        }
    }
}
