package io.idem.demo.supervisor;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Fresh API keys, one for each tenant. */
final class ApiKeys {

    private static final int BYTES = 18;

    private ApiKeys() {}

    /** Keys by tenant, made anew for every run. */
    static Map<String, String> generate(List<String> tenants) {
        SecureRandom random = new SecureRandom();
        Map<String, String> keys = new TreeMap<>();
        for (String tenant : tenants) {
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            keys.put(
                    tenant,
                    tenant + "-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        return keys;
    }
}
