package io.idem.demo.supervisor;

import java.net.URI;
import java.util.Map;

/** The hints for a visitor while the demo stays up. */
final class Invitation {

    private Invitation() {}

    static String text(URI server, Map<String, String> apiKeys, String run) {
        Map.Entry<String, String> tenant = apiKeys.entrySet().iterator().next();
        String post = ("curl -i %s/v1/payments -H 'Authorization: Bearer %s' -H 'Idempotency-Key: try-%s'"
                        + " -H 'Content-Type: application/json'"
                        + " -d '{\"account\":\"account-0001\",\"amount\":1250,\"currency\":\"EUR\"}'")
                .formatted(server, tenant.getValue(), run);
        return """
                Still up. Try the same payment twice, as tenant %s:

                  %s
                      202: taken

                  %s
                      202 again, the same body, and Idempotency-Replayed: true

                How far it is, and everybody's API keys:

                  curl %s/v1/operations/try-%s -H 'Authorization: Bearer %s'
                  payment-demo/target/demo-endpoints.json

                Ctrl-C ends everything.
                """.formatted(tenant.getKey(), post, post, server, run, tenant.getValue());
    }
}
