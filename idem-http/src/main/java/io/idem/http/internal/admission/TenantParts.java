package io.idem.http.internal.admission;

import io.idem.ConfigurationException;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.http.IncomingRequest;
import io.idem.http.StoredResponse;
import io.idem.http.TenantResolver;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a request that belong to its tenant beside the one that the resolver finds: the host, headers and cookies. Requests without
 * a part are those of a tenant of their own, which has no value there. A header or cookie that is sent more than once counts with all its
 * values. Thread-safe.
 */
public final class TenantParts {

    /** The name of the setting. */
    public static final String SETTING = "idem.http.tenant-parts";

    private static final Logger LOG = LoggerFactory.getLogger(TenantParts.class);
    private static final String HOST = "host";
    private static final String HEADER = "header:";
    private static final Pattern PART = Pattern.compile(HOST + "|(header|cookie):[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final List<String> parts;

    /** The scopes of which a replay under another host was told. */
    private final Set<Scope> told = ConcurrentHashMap.newKeySet();

    /**
     * Creates the parts of an application.
     *
     * @param parts {@code host}, or names behind {@code header:} and {@code cookie:}
     * @throws ConfigurationException names the one that is none of these
     */
    public TenantParts(List<String> parts) {
        this.parts = parts.stream()
                .map(part -> part.startsWith(HEADER) ? part.toLowerCase(Locale.ROOT) : part)
                .sorted()
                .toList();
        parts.stream().filter(part -> !PART.matcher(part).matches()).findFirst().ifPresent(wrong -> {
            throw new ConfigurationException(
                    SETTING + " \"" + wrong + "\" is none of host, header:<name> and cookie:<name>",
                    "Correct " + SETTING + ", for example [host, header:X-Org].");
        });
    }

    /** Returns a resolver of the tenants with these parts. */
    public TenantResolver beside(TenantResolver tenants) {
        return request -> tenants.resolve(request).map(tenant -> joined(tenant, request));
    }

    /** Joins escaped texts, so that no value looks like two parts, or like a part and a tenant. */
    private String joined(String tenant, IncomingRequest request) {
        if (parts.isEmpty()) {
            return tenant;
        }
        StringBuilder all = new StringBuilder(escaped(tenant));
        for (String part : parts) {
            values(part, request)
                    .forEach(value -> all.append('|').append(part).append('=').append(escaped(value)));
        }
        return all.toString();
    }

    private static Stream<String> values(String part, IncomingRequest request) {
        String name = part.substring(part.indexOf(':') + 1);
        if (part.equals(HOST)) {
            return Stream.of(request.host());
        }
        return part.startsWith(HEADER)
                ? request.header(name).stream().map(String::strip)
                : request.header("Cookie").stream()
                        .flatMap(line -> Arrays.stream(line.split(";")))
                        .map(String::strip)
                        .filter(pair -> pair.startsWith(name + "="))
                        .map(pair -> pair.substring(name.length() + 1));
    }

    private static String escaped(String text) {
        return text.replace("%", "%25").replace("|", "%7C");
    }

    /** Warns, once for each scope, of a replay that goes to another host name than the first answer. */
    void replayed(RecordId record, StoredResponse stored, String host) {
        if (HostNames.differ(stored, host) && told.add(record.scope())) {
            LOG.warn(
                    "{} was recorded under another host name and its answer is replayed under \"{}\"; if the host selects data or a"
                            + " customer, set {}=[host], so that each host has keys of its own",
                    record,
                    host,
                    SETTING);
        }
    }
}
