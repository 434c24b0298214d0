package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.function.Consumer;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Proxies of an asynchronous context and of its listeners that tell of the end of the work before the container is told: of {@link
 * AsyncContext#complete()}, which no dispatch follows, so that the held answer would be lost, and of each {@code dispatch}.
 */
final class SettlingAsyncContext {

    private SettlingAsyncContext() {}

    /** @param before is told the name of each method before it is called */
    static AsyncContext of(AsyncContext context, Consumer<String> before) {
        return proxy(AsyncContext.class, context, (method, arguments, target) -> {
            before.accept(method.getName());
            if (method.getName().equals("addListener")) {
                arguments[0] = listener((AsyncListener) arguments[0], before);
            }
        });
    }

    /** Returns a listener whose events carry the settling context in place of the container's. */
    private static AsyncListener listener(AsyncListener listener, Consumer<String> before) {
        return proxy(AsyncListener.class, listener, (method, arguments, target) -> {
            if (arguments.length == 1 && arguments[0] instanceof AsyncEvent event) {
                arguments[0] = new AsyncEvent(
                        of(event.getAsyncContext(), before),
                        event.getSuppliedRequest(),
                        event.getSuppliedResponse(),
                        event.getThrowable());
            }
        });
    }

    private static <T> T proxy(Class<T> type, T target, MethodBeforeAdvice before) {
        ProxyFactory proxy = new ProxyFactory();
        proxy.setInterfaces(type);
        proxy.setTarget(target);
        proxy.addAdvice(before);
        return type.cast(proxy.getProxy(SettlingAsyncContext.class.getClassLoader()));
    }
}
