package io.idem.http.autoconfigure;

import io.idem.http.Routes;
import io.idem.internal.RefusedSettingException;
import java.util.List;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/**
 * Refuses to trust a proxy by its address if the server takes addresses from forwarded headers: every client could claim the address of
 * the proxy.
 */
record ForwardedAddressCheck(IdemHttpProperties properties, Environment environment) implements StartCheck {

    private static final String STRATEGY = "server.forward-headers-strategy";

    /** The settings that install Tomcat's valve, each of which makes it read forwarded addresses, from a default header if none is set. */
    private static final List<String> REMOTE_IP =
            List.of("server.tomcat.remoteip.remote-ip-header", "server.tomcat.remoteip.protocol-header");

    @Override
    public void check(Routes routes) {
        if (properties.tenant() == TenantMode.PROXY_HEADER && forwarded()) {
            throw new RefusedSettingException(
                    "idem.http.tenant=PROXY_HEADER knows the proxy by the connection's address, but the server takes"
                            + " addresses from forwarded headers",
                    "Set " + STRATEGY + "=none and neither " + String.join(" nor ", REMOTE_IP)
                            + ", or choose another idem.http.tenant.");
        }
    }

    private boolean forwarded() {
        String strategy = environment.getProperty(STRATEGY, "");
        CloudPlatform platform = CloudPlatform.getActive(environment);
        boolean decided = strategy.isBlank()
                ? platform != null && platform.isUsingForwardHeaders()
                : !strategy.equalsIgnoreCase("none");
        return decided || REMOTE_IP.stream().anyMatch(environment::containsProperty);
    }
}
