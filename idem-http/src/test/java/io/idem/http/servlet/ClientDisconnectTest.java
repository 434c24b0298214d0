package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ClientDisconnectContract;

@AppTest(value = Shop.class)
class ClientDisconnectTest extends ClientDisconnectContract {

    ClientDisconnectTest(App shop) {
        super(shop);
    }
}
