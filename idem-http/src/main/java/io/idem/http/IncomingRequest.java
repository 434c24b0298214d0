package io.idem.http;

import java.security.Principal;
import java.util.List;
import java.util.Optional;

/**
 * A request as the HTTP side sees it, whatever carries it: a servlet container or a reactive server. Read-only. What is not here
 * can be had from the carrier's own type, see {@link #unwrap}.
 */
public interface IncomingRequest {

    /** The method, in the case in which it was sent. */
    String method();

    /** The path as sent, not decoded, with the context path. */
    String path();

    /** The query as sent, not decoded; empty if there is none. */
    String query();

    /** The part of the path that belongs to the application's place on its server; empty at the root. */
    String contextPath();

    /** The lines of a header as sent, in their order; empty if it was not sent. The name's case does not count. */
    List<String> header(String name);

    /** Who was authenticated; empty for nobody. */
    Optional<Principal> principal();

    /** The address that the request came from, which may be a proxy's; empty if it is not known. */
    Optional<String> remoteAddress();

    /** What something on the way has noted of the request; empty if nothing has that name. */
    Optional<Object> attribute(String name);

    /** The carrier's own type: {@code HttpServletRequest}, or {@code ServerWebExchange}; empty if the carrier is another. */
    <T> Optional<T> unwrap(Class<T> type);
}
