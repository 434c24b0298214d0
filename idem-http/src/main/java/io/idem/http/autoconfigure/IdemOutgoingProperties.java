package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.http.outgoing.OutgoingKeys;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.http.outgoing}: keys in the HTTP calls that idempotent work makes.
 *
 * @param hosts hosts that get keys, as payments.example.com, with a port, or *.example.com; default none
 */
@ConfigurationProperties("idem.http.outgoing")
record IdemOutgoingProperties(@DefaultValue List<String> hosts) {

    /**
     * Keys for these hosts.
     *
     * @param keyHeader name of the header that carries them
     */
    OutgoingKeys keys(String keyHeader) {
        try {
            return new OutgoingKeys(hosts, keyHeader);
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "Setting idem.http.outgoing.hosts is not valid: " + invalid.getMessage(),
                    "List host names in idem.http.outgoing.hosts, without scheme and path.",
                    invalid);
        }
    }
}
