package io.idem.gateway;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Knows whose an API key is, by the SHA-256 digests of the keys. Immutable. */
public final class ApiKeys {

    private final List<ApiKey> keys;

    /**
     * The keys of all tenants; a tenant may have several.
     *
     * @throws GatewayConfigurationException if two are equal: whose would it be?
     */
    public ApiKeys(List<ApiKey> keys) {
        this.keys = List.copyOf(keys);
        if (keys.stream().map(ApiKey::sha256).distinct().count() < keys.size()) {
            throw new GatewayConfigurationException(
                    "Two entries of idem.gateway.api-keys are the same key", "Give each tenant keys of its own", null);
        }
    }

    /** Takes the same time whichever key it is compared with. */
    Optional<String> tenantOf(String presented) {
        byte[] digest = digest(presented);
        Optional<String> tenant = Optional.empty();
        for (ApiKey key : keys) {
            boolean same = MessageDigest.isEqual(HexFormat.of().parseHex(key.sha256()), digest);
            tenant = same ? Optional.of(key.tenant()) : tenant;
        }
        return tenant;
    }

    private static byte[] digest(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    /**
     * A tenant's key.
     *
     * @param tenant who authenticates with it
     * @param sha256 its digest: 64 hexadecimal digits in lower case
     */
    public record ApiKey(String tenant, String sha256) {

        /** A key as the client sends it; only its digest is kept. */
        public static ApiKey of(String tenant, String key) {
            return new ApiKey(tenant, HexFormat.of().formatHex(digest(key)));
        }
    }
}
