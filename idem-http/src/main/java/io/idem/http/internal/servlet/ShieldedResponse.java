package io.idem.http.internal.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Keeps Tomcat's response open while the answer is held. When a forward returns, Tomcat 11 looks for its own response below all wrappers
 * and drops whatever is written to it from then on; a held answer would reach its client empty. This one is no wrapper, so Tomcat does
 * not look further, and closes the outermost response instead. Passes every call on.
 */
final class ShieldedResponse implements InvocationHandler {

    /** By name, for Tomcat need not be there. */
    private static final String TOMCATS = "org.apache.catalina.connector.ResponseFacade";

    private final HttpServletResponse response;

    private ShieldedResponse(HttpServletResponse response) {
        this.response = response;
    }

    /** The response itself on every other container: they find theirs below the wrappers for good reasons. */
    static HttpServletResponse of(HttpServletResponse response) {
        return innermost(response).getClass().getName().equals(TOMCATS)
                ? (HttpServletResponse) Proxy.newProxyInstance(
                        HttpServletResponse.class.getClassLoader(),
                        new Class<?>[] {HttpServletResponse.class},
                        new ShieldedResponse(response))
                : response;
    }

    private static ServletResponse innermost(ServletResponse response) {
        ServletResponse current = response;
        while (current instanceof ServletResponseWrapper wrapper) {
            current = wrapper.getResponse();
        }
        return current;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        try {
            return method.invoke(response, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getTargetException();
        }
    }
}
