package io.idem.http.internal.tenant;

import static io.idem.internal.value.Arguments.require;

import io.idem.http.IncomingRequest;
import io.idem.http.TenantResolver;
import io.idem.internal.value.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;

/**
 * Resolves the tenant whose API key a request carries, in a header of its own or in {@code Authorization} after the scheme {@code Bearer}.
 * Only unsalted digests of the API keys are kept, so API keys must be long random values. A comparison takes the same time for every API
 * key. A request without a known API key, or with several, has no tenant. Unprotected routes are not guarded. Thread-safe.
 */
public final class ApiKeyTenants implements TenantResolver {

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final String BEARER = "Bearer ";

    private final String header;
    private final String scheme;
    private final List<ApiKey> keys;

    /**
     * Creates a resolver.
     *
     * @param header name of the header that carries the API key
     * @param keys API keys, at least one; a tenant may have several
     * @throws IllegalArgumentException names the entry that is not valid
     */
    public ApiKeyTenants(String header, List<ApiKey> keys) {
        this.header = header;
        this.scheme = header.equalsIgnoreCase(HttpHeaders.AUTHORIZATION) ? BEARER : "";
        this.keys = List.copyOf(keys);
        keys.forEach(ApiKeyTenants::check);
        require(!keys.isEmpty(), "no API key is listed, so that every request would be refused");
        Set<String> distinct = new HashSet<>();
        keys.stream().filter(key -> !distinct.add(key.sha256())).findAny().ifPresent(twice -> {
            throw new IllegalArgumentException(
                    "the API key of tenant " + twice.tenant() + " is listed twice, so that its tenant is not clear");
        });
    }

    private static void check(ApiKey key) {
        require(
                !key.tenant().isBlank() && DIGEST.matcher(key.sha256()).matches(),
                "the API key of tenant \"" + key.tenant()
                        + "\" needs a tenant and a sha256 of 64 hexadecimal digits in lower case");
    }

    @Override
    public Optional<String> resolve(IncomingRequest request) {
        List<String> lines = new ArrayList<>(request.header(header));
        return Optional.of(lines)
                .filter(all -> all.size() == 1)
                .map(all -> all.get(0).strip())
                .filter(line -> line.regionMatches(true, 0, scheme, 0, scheme.length()))
                .flatMap(line -> tenantOf(line.substring(scheme.length()).strip()));
    }

    private Optional<String> tenantOf(String presented) {
        byte[] digest = sha256(presented).getBytes(StandardCharsets.US_ASCII);
        Optional<String> tenant = Optional.empty();
        for (ApiKey key : keys) {
            boolean same = MessageDigest.isEqual(key.sha256().getBytes(StandardCharsets.US_ASCII), digest);
            tenant = same ? Optional.of(key.tenant()) : tenant;
        }
        return tenant;
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * A tenant's API key.
     *
     * @param tenant owner of the key
     * @param sha256 digest of the key: 64 hexadecimal digits in lower case
     */
    public record ApiKey(String tenant, String sha256) {

        /** Creates an API key from the text that the client sends; only its digest is kept. */
        public static ApiKey of(String tenant, String key) {
            return new ApiKey(tenant, ApiKeyTenants.sha256(key));
        }
    }
}
