package io.idem.http.webflux;

import io.idem.http.contract.ApiKeys;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.HostileInputContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.WebApplicationType;

@AppTest(
        value = ReactiveShop.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=API_KEY",
            "idem.http.tenant-from.header=" + ApiKeys.HEADER,
            "idem.http.tenant-from.api-keys[0].tenant=acme",
            "idem.http.tenant-from.api-keys[0].sha256=" + ApiKeys.ACME,
            "idem.http.tenant-from.api-keys[1].tenant=umbrella",
            "idem.http.tenant-from.api-keys[1].sha256=" + ApiKeys.UMBRELLA,
            "idem.http.max-request-body=2KB",
            "idem.http.routes[0].path=/orders/**"
        })
@Tag("extended")
class ReactiveHostileInputTest extends HostileInputContract {

    ReactiveHostileInputTest(App shop) {
        super(shop);
    }
}
