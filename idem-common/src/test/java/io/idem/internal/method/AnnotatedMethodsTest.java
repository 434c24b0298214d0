package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Idempotent;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnnotatedMethodsTest {

    interface Contract<T> {

        @Idempotent(scope = "payments", key = "#p0")
        void pay(T payment);
    }

    interface Extended extends Contract<String> {}

    static class Implementing implements Extended {

        @Override
        public void pay(String payment) {}
    }

    static class Inheriting extends Implementing {}

    @Retention(RetentionPolicy.RUNTIME)
    @Idempotent(scope = "payments", key = "#p0")
    @interface Composed {}

    @Retention(RetentionPolicy.RUNTIME)
    @Composed
    @interface ComposedTwice {}

    static class WithComposed {

        @ComposedTwice
        void pay(String payment) {}
    }

    static class Without {

        @Deprecated
        void pay(String payment) {}
    }

    private static Set<Method> on(Class<?> type) {
        return AnnotatedMethods.of(type, Idempotent.class, method -> true);
    }

    @Test
    void aMethodOfAnInterfaceOfAnInterfaceIsFound() {
        assertThat(on(Implementing.class)).extracting(Method::getName).containsOnly("pay");
        assertThat(on(Inheriting.class)).extracting(Method::getName).containsOnly("pay");
        assertThat(on(Extended.class)).extracting(Method::getName).containsOnly("pay");
    }

    @Test
    void aMethodOfAJdkProxyIsFound() {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Extended.class}, (self, method, arguments) -> null);

        assertThat(on(proxy.getClass())).extracting(Method::getName).containsOnly("pay");
    }

    @Test
    void aComposedAnnotationIsFound() {
        assertThat(on(WithComposed.class)).hasSize(1);
    }

    @Test
    void aClassWithoutSuchAnAnnotationIsLeftOut() {
        assertThat(AnnotatedMethods.mayBeOn(Without.class, Idempotent.class)).isFalse();
        assertThat(on(Without.class)).isEmpty();
    }
}
