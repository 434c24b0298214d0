package io.idem.http.internal.tenant;

import io.idem.http.IncomingRequest;
import io.idem.http.TenantResolver;
import java.util.List;
import java.util.Optional;

/**
 * The tenant that a trusted proxy names in a header. Believed only if the connection comes from one of the proxy's addresses; the proxy
 * must replace what clients send under that name. Several values are no tenant. Must see the connection's own address: nothing before
 * it may put a forwarded one in its place. Thread-safe.
 */
public final class ProxyHeaderTenant implements TenantResolver {

    private final String header;
    private final List<AddressRange> proxies;

    /**
     * Tenants named by these proxies.
     *
     * @param header name of the header
     * @param proxies at least one address or range, as {@code 10.1.2.3}, {@code 10.0.0.0/8} or {@code fd00::/8}
     * @throws IllegalArgumentException says which is not one
     */
    public ProxyHeaderTenant(String header, List<String> proxies) {
        this.header = header;
        this.proxies = proxies.stream().map(AddressRange::parse).toList();
        if (proxies.isEmpty()) {
            throw new IllegalArgumentException("no proxy is trusted, so that every request would be refused");
        }
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
