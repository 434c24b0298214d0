package io.idem.http;

import java.security.Principal;
import java.util.List;
import java.util.Optional;

/**
 * A read-only view of a request to a servlet container or a reactive server. {@link #unwrap} returns the server's own type for everything
 * else.
 */
public interface IncomingRequest {

    /** Returns the method, in the case in which it was sent. */
    String method();

    /** Returns the path as sent to this server, not decoded, with the context path, and without a prefix that a proxy has cut off. */
    String path();

    /** Returns the query as sent, not decoded; empty if there is none. */
    String query();

    /** Returns the context path of the application on its server; empty at the root. */
    String contextPath();

    /**
     * Returns the name of the host that the client has asked, in lower case and without port; an address if it was asked by its address.
     * Where the application takes hosts from forwarded headers, the forwarded one. Empty if it is not known.
     */
    String host();

    /** Returns the lines of a header as sent, in their order; empty if it was not sent. The case of the name does not count. */
    List<String> header(String name);

    /** Returns the authenticated principal, if there is one. */
    Optional<Principal> principal();

    /** Returns the address that the request came from, which may be a proxy's; empty if it is not known. */
    Optional<String> remoteAddress();

    /** Returns the request attribute of this name, if there is one. */
    Optional<Object> attribute(String name);

    /** Returns the server's own type, {@code HttpServletRequest} or {@code ServerWebExchange}; empty if the server is of the other kind. */
    <T> Optional<T> unwrap(Class<T> type);
}
