package io.idem.gateway.autoconfigure;

import io.idem.gateway.ApiKeys;
import io.idem.gateway.GatewayConfigurationException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Reads API keys from the settings; complaints never repeat a key. */
final class ConfiguredApiKeys {

    private static final String DIGEST = "[0-9a-f]{64}";

    private ConfiguredApiKeys() {}

    static ApiKeys read(IdemGatewayProperties properties) {
        List<IdemGatewayProperties.ApiKey> keys = properties.apiKeys();
        if (keys.isEmpty()) {
            throw new GatewayConfigurationException(
                    "The intake authenticates its callers by API keys, and idem.gateway.api-keys has none",
                    "Add idem.gateway.api-keys[0].tenant with .key or .sha256, or set idem.gateway.authentication=none if"
                            + " somebody else authenticates the callers",
                    null);
        }
        return new ApiKeys(IntStream.range(0, keys.size())
                .mapToObj(index -> read(keys.get(index), "idem.gateway.api-keys[" + index + "]"))
                .toList());
    }

    private static ApiKeys.ApiKey read(IdemGatewayProperties.ApiKey entry, String name) {
        String key = entry.key();
        String sha256 = entry.sha256();
        if (entry.tenant().isBlank()) {
            throw invalid(name + ".tenant", "is empty");
        }
        if ((key == null) == (sha256 == null)) {
            throw invalid(name, "needs either key or sha256");
        }
        if (key != null) {
            if (key.isBlank()) {
                throw invalid(name + ".key", "is empty");
            }
            return ApiKeys.ApiKey.of(entry.tenant(), key);
        }
        String digest = String.valueOf(sha256).toLowerCase(Locale.ROOT);
        if (!digest.matches(DIGEST)) {
            throw invalid(name + ".sha256", "is not 64 hexadecimal digits");
        }
        return new ApiKeys.ApiKey(entry.tenant(), digest);
    }

    private static GatewayConfigurationException invalid(String name, String complaint) {
        return new GatewayConfigurationException("Setting " + name + " " + complaint, "Correct it", null);
    }
}
