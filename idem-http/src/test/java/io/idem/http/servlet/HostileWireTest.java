package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.HostileWireContract;

@AppTest(Shop.class)
class HostileWireTest extends HostileWireContract {

    HostileWireTest(App shop) {
        super(shop);
    }
}
