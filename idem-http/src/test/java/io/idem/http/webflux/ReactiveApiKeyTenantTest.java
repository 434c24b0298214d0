package io.idem.http.webflux;

import io.idem.http.contract.ApiKeyTenantContract;
import io.idem.http.contract.ApiKeys;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.WebApplicationType;

@Tag("extended")
@AppTest(
        value = ReactiveShop.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=API_KEY",
            "idem.http.tenant-from.header=X-API-Key",
            "idem.http.tenant-from.api-keys[0].tenant=acme",
            "idem.http.tenant-from.api-keys[0].sha256=" + ApiKeys.ACME,
            "idem.http.tenant-from.api-keys[1].tenant=umbrella",
            "idem.http.tenant-from.api-keys[1].sha256=" + ApiKeys.UMBRELLA,
            "idem.http.max-request-body=2KB",
            "idem.http.routes[0].path=/orders/**"
        })
class ReactiveApiKeyTenantTest extends ApiKeyTenantContract {

    ReactiveApiKeyTenantTest(App app) {
        super(app);
    }
}
