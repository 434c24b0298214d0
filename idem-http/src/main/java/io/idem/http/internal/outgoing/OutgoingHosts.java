package io.idem.http.internal.outgoing;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The hosts whose calls get keys. Immutable. */
public final class OutgoingHosts {

    private static final String LABEL = "[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?";
    private static final String NAME = LABEL + "(\\." + LABEL + ")*";
    private static final Pattern SYNTAX = Pattern.compile("(\\*\\.)?" + NAME + "(:[0-9]{1,5})?");

    /** {@link URI#getHost()} has no names with an underscore, to which HTTP clients connect. */
    private static final Pattern AUTHORITY = Pattern.compile("([^@]*@)?(?<host>" + NAME + ")\\.?(:(?<port>[0-9]*))?");

    private final List<String> hosts;

    /**
     * Creates the list of hosts.
     *
     * @param hosts names, IPv4 addresses, or {@code *.example.com} for all hosts below a domain; each with a port if only that one is
     *     meant. Case does not count
     * @throws IllegalArgumentException names the one that is not a host
     */
    public OutgoingHosts(List<String> hosts) {
        this.hosts = hosts.stream().map(OutgoingHosts::checked).toList();
    }

    private static String checked(String host) {
        String lower = host.strip().toLowerCase(Locale.ROOT);
        if (!SYNTAX.matcher(lower).matches()) {
            throw new IllegalArgumentException("\"" + host
                    + "\" is not a host; name it as payments.example.com, payments.example.com:8443 or *.example.com,"
                    + " an international name as xn--");
        }
        return lower;
    }

    /** Returns whether any host is listed. */
    public boolean any() {
        return !hosts.isEmpty();
    }

    /** Returns whether a call to this address gets a key. */
    public boolean include(URI uri) {
        String authority = Objects.requireNonNullElse(uri.getRawAuthority(), "").toLowerCase(Locale.ROOT);
        Matcher parts = AUTHORITY.matcher(authority);
        if (!parts.matches()) {
            return false;
        }
        String host = parts.group("host");
        String withPort = host + ":" + port(uri, parts.group("port"));
        return hosts.stream().anyMatch(listed -> matches(listed, listed.contains(":") ? withPort : host));
    }

    private static boolean matches(String listed, String host) {
        return listed.startsWith("*.") ? host.endsWith(listed.substring(1)) : host.equals(listed);
    }

    private static String port(URI uri, @Nullable String port) {
        String standard = "https".equalsIgnoreCase(uri.getScheme()) ? "443" : "80";
        return port == null || port.isEmpty() ? standard : port;
    }
}
