package io.idem.http.autoconfigure;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A filter that is called behind the idempotency filter, and so not for a replay.
 *
 * @param name name of the filter's bean or registration; its class if it has neither
 * @param type name of the filter's class
 */
record LaterFilter(String name, String type) {

    /**
     * The classes of Spring's filters, unless they are for security, of an example, or hide other filters; of idem's; of the containers' for
     * WebSocket; and Jersey as a filter, which is a handler.
     */
    private static final Pattern REFUSES_NOBODY = Pattern.compile(
            "(org\\.springframework(?!\\.(security|samples)\\.|\\.web\\.filter\\.(DelegatingFilterProxy|CompositeFilter)$)|io\\.idem"
                    + "|org\\.apache\\.tomcat\\.websocket|org\\.eclipse\\.jetty\\.ee\\w+\\.websocket|org\\.glassfish\\.jersey)\\..*");

    boolean isSecurityChain() {
        return name.equals("springSecurityFilterChain")
                || type.matches("org\\.springframework\\.security\\..*FilterChainProxy");
    }

    /** Returns whether the filter may refuse callers, as far as is known of its class, and is not one of these names or classes. */
    boolean mayRefuse(List<String> permitted) {
        return !REFUSES_NOBODY.matcher(type).matches() && !permitted.contains(name) && !permitted.contains(type);
    }

    @Override
    public String toString() {
        return name.equals(type) ? name : name + " (" + type + ")";
    }
}
