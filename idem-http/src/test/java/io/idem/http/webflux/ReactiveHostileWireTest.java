package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.HostileWireContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.WebApplicationType;

@Tag("extended")
@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveHostileWireTest extends HostileWireContract {

    ReactiveHostileWireTest(App shop) {
        super(shop);
    }
}
