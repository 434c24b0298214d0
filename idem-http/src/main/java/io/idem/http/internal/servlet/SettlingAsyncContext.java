package io.idem.http.internal.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Proxies of an asynchronous context and of its listeners that settle before {@link AsyncContext#complete()}: no dispatch follows, and the
 * held answer would be lost.
 */
final class SettlingAsyncContext {

    private SettlingAsyncContext() {}

    static AsyncContext of(AsyncContext context, Runnable beforeComplete) {
        return proxy(AsyncContext.class, context, (method, arguments, target) -> {
            if (method.getName().equals("complete")) {
                beforeComplete.run();
            } else if (method.getName().equals("addListener")) {
                arguments[0] = listener((AsyncListener) arguments[0], beforeComplete);
            }
        });
    }

    /** Returns a listener whose events carry the settling context in place of the container's. */
    private static AsyncListener listener(AsyncListener listener, Runnable beforeComplete) {
        return proxy(AsyncListener.class, listener, (method, arguments, target) -> {
            if (arguments.length == 1 && arguments[0] instanceof AsyncEvent event) {
                arguments[0] = new AsyncEvent(
                        of(event.getAsyncContext(), beforeComplete),
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
