package io.idem.http.internal.servlet;

import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;

/**
 * A proxy that keeps Tomcat's response open while the answer is held. When a forward returns, Tomcat 11 unwraps all wrappers to find its
 * own response and ignores all further writes to it, so that the client would get an empty answer. The proxy is no wrapper, so Tomcat stops
 * there and closes the outermost response instead. All calls are passed on.
 */
final class ShieldedResponse {

    /** The name of Tomcat's response class, which may be missing. */
    private static final String TOMCATS = "org.apache.catalina.connector.ResponseFacade";

    private ShieldedResponse() {}

    /** Returns the proxy of a response of Tomcat's, and every other response itself: other containers need to unwrap theirs. */
    static HttpServletResponse of(HttpServletResponse response) {
        return innermost(response).getClass().getName().equals(TOMCATS)
                ? (HttpServletResponse) new ProxyFactory(HttpServletResponse.class, new SingletonTargetSource(response))
                        .getProxy(ShieldedResponse.class.getClassLoader())
                : response;
    }

    private static ServletResponse innermost(ServletResponse response) {
        ServletResponse current = response;
        while (current instanceof ServletResponseWrapper wrapper) {
            current = wrapper.getResponse();
        }
        return current;
    }
}
