package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ProxyTenantContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.WebApplicationType;

@Tag("extended")
@AppTest(
        value = ReactiveShop.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=PROXY_HEADER",
            "idem.http.tenant-from.header=X-Tenant",
            "idem.http.tenant-from.trusted-proxies=127.0.0.1",
            "idem.http.routes[0].path=/orders/**"
        })
class ReactiveProxyTenantTest extends ProxyTenantContract {

    ReactiveProxyTenantTest(App app) {
        super(app);
    }
}
