package io.idem.http.autoconfigure;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A filter or interceptor that is called behind the idempotency filter, and so not for a replay.
 *
 * @param name name of the filter's bean or registration, or of the interceptor's class
 * @param type name of the filter's class, or of that class of Spring which it extends and which tells what it does
 */
record LaterFilter(String name, String type) {

    /** The classes of Spring that do the same in every subclass: call chains of Spring Security, stand for a bean, apply CORS. */
    private static final String KINDS = "org\\.springframework\\..*(Filter(Chain)?Proxy|\\.Cors(Web)?Filter)";

    /**
     * The classes of Spring's filters, unless they are for security, of an example, or hide other filters; of idem's; of the containers' for
     * WebSocket; and Jersey as a filter, which is a handler.
     */
    private static final Pattern REFUSES_NOBODY = Pattern.compile(
            "(org\\.springframework(?!\\.(security|samples)\\.|\\.web\\.filter\\.(DelegatingFilterProxy|CompositeFilter)$"
                    + "|\\.web\\.servlet\\.handler\\.UserRoleAuthorizationInterceptor$)|io\\.idem"
                    + "|org\\.apache\\.tomcat\\.websocket|org\\.eclipse\\.jetty\\.ee\\w+\\.websocket|org\\.glassfish\\.jersey)\\..*");

    static LaterFilter of(String name, Class<?> type) {
        Class<?> kind = type;
        while (kind != Object.class && !kind.getName().matches(KINDS)) {
            kind = kind.getSuperclass();
        }
        return new LaterFilter(name, (kind == Object.class ? type : kind).getName());
    }

    boolean isSecurityChain() {
        return name.equals("springSecurityFilterChain") || type.matches("org\\.springframework\\..*FilterChainProxy");
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
