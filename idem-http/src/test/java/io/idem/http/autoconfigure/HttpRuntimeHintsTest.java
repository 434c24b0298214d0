package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class HttpRuntimeHintsTest {

    @ParameterizedTest
    @ValueSource(classes = {AsyncContext.class, AsyncListener.class})
    void aNativeImageHasTheProxiesOfAsynchronousWork(Class<?> type) {
        RuntimeHints hints = new RuntimeHints();
        new HttpRuntimeHints().registerHints(hints, getClass().getClassLoader());
        ProxyFactory proxy = new ProxyFactory();
        proxy.setInterfaces(type);

        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(
                                proxy.getProxyClass(getClass().getClassLoader()).getInterfaces()))
                .accepts(hints);
        assertThat(type.getMethods())
                .allSatisfy(
                        method -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
                                .accepts(hints));
    }
}
