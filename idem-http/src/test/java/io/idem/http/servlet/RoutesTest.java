package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.RoutesContract;

@AppTest(value = Shop.class)
class RoutesTest extends RoutesContract {

    RoutesTest(App shop) {
        super(shop);
    }
}
