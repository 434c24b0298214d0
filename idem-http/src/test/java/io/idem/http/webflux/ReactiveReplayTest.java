package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ReplayContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveReplayTest extends ReplayContract {

    ReactiveReplayTest(App shop) {
        super(shop);
    }
}
