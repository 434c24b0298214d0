package io.idem.http.internal.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A proxy that keeps Tomcat's response open while the answer is held. When a forward returns, Tomcat 11 unwraps all wrappers to find its
 * own response and ignores all further writes to it, so that the client would get an empty answer. The proxy is no wrapper, so Tomcat stops
 * there and closes the outermost response instead. All calls are passed on.
 */
final class ShieldedResponse implements InvocationHandler {

    /** The name of Tomcat's response class, which may be missing. */
    private static final String TOMCATS = "org.apache.catalina.connector.ResponseFacade";

    private final HttpServletResponse response;

    private ShieldedResponse(HttpServletResponse response) {
        this.response = response;
    }

    /** Returns the proxy of a response of Tomcat's, and every other response itself: other containers need to unwrap theirs. */
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
