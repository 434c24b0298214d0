package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.HostileInputContract;

@AppTest(value = Shop.class)
class HostileInputTest extends HostileInputContract {

    HostileInputTest(App shop) {
        super(shop);
    }
}
