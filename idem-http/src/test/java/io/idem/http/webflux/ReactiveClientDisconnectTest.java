package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ClientDisconnectContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveClientDisconnectTest extends ClientDisconnectContract {

    ReactiveClientDisconnectTest(App shop) {
        super(shop);
    }
}
