package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ProxyTenantContract;

@AppTest(
        value = Shop.class,
        settings = {
            "idem.http.tenant=PROXY_HEADER",
            "idem.http.tenant-from.header=X-Tenant",
            "idem.http.tenant-from.trusted-proxies=127.0.0.1",
            "idem.http.routes[0].path=/orders/**"
        })
class ProxyTenantTest extends ProxyTenantContract {

    ProxyTenantTest(App app) {
        super(app);
    }
}
