package io.idem.http.internal.tenant;

import static io.idem.internal.value.Arguments.require;

import io.idem.http.IncomingRequest;
import io.idem.http.TenantResolver;
import java.util.List;
import java.util.Optional;

/**
 * Resolves the tenant that a trusted proxy names in a header. The header counts only if the connection comes from one of the proxy's
 * addresses, and the proxy must replace that header if clients send it. A request with several values has no tenant. The server must not
 * replace the connection's address with a forwarded one. Thread-safe.
 */
public final class ProxyHeaderTenant implements TenantResolver {

    private final String header;
    private final List<AddressRange> proxies;

    /**
     * Creates a resolver.
     *
     * @param header name of the header
     * @param proxies addresses or ranges, at least one, as {@code 10.1.2.3}, {@code 10.0.0.0/8} or {@code fd00::/8}
     * @throws IllegalArgumentException names the entry that is no address
     */
    public ProxyHeaderTenant(String header, List<String> proxies) {
        this.header = header;
        this.proxies = proxies.stream().map(AddressRange::parse).toList();
        require(!proxies.isEmpty(), "no proxy is trusted, so that every request would be refused");
    }

    @Override
    public Optional<String> resolve(IncomingRequest request) {
        List<String> lines = request.header(header);
        boolean trusted = request.remoteAddress()
                .filter(address -> proxies.stream().anyMatch(proxy -> proxy.includes(address)))
                .isPresent();
        return trusted && lines.size() == 1
                ? Optional.of(lines.get(0).strip()).filter(tenant -> !tenant.isEmpty())
                : Optional.empty();
    }
}
